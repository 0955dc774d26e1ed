internal import Dispatch
internal import Synchronization

/// Looks for threads that the app keeps: a turn that takes long, or does not come to an end.
///
/// A worker that is kept serves none of its clients, and accepts no new ones: others do. So its clients are disconnected,
/// and come to another worker when they connect anew: those between requests when it has been kept for a second, the others
/// after ten. Once all workers have been kept for ten seconds, nobody is served any more.
public final class StallWatch: Sendable {
    /// A thread that has not got on.
    public struct Stall: Sendable {
        /// What it has been doing so long; nil where it waits for somebody else.
        public let event: String?
        /// The version that this would lead to.
        public let version: Int
        public let time: Duration
        /// Whether it serves clients.
        public let isWorker: Bool
        /// How many of its clients were disconnected.
        public let disconnected: Int
    }

    private struct Seen {
        var activity: ThreadActivity
        var since: ContinuousClock.Instant
        var nextReport = StallWatch.patience
    }

    /// After how long it is told of.
    static let patience = Duration.seconds(1)
    /// After how long more is done about it; and it is told of again so often.
    static let longPatience = Duration.seconds(10)
    private static let period = Duration.milliseconds(250)

    private let server: HTTPServer
    private let onStall: @Sendable (Stall) -> Void
    private let onStandstill: @Sendable ([ThreadActivity]) -> Void
    private let seen = Mutex<[UInt64: Seen]>([:])
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// - Parameters:
    ///   - onStall: is told of each one after a second, and every ten.
    ///   - onStandstill: is called once no worker is left, with the threads that have not got on with a turn for so long.
    public init(
        of server: HTTPServer, onStall: @escaping @Sendable (Stall) -> Void,
        onStandstill: @escaping @Sendable ([ThreadActivity]) -> Void
    ) {
        self.server = server
        self.onStall = onStall
        self.onStandstill = onStandstill
        timer.withLock { timer in
            let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "MicroHTTPD.StallWatch"))
            source.schedule(deadline: .now(), repeating: .milliseconds(Int(Self.period / .milliseconds(1))))
            source.setEventHandler { [weak self] in self?.look() }
            source.activate()
            timer = source
        }
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    private func look() {
        let now = ContinuousClock.now
        let (due, stuck, lasting) = seen.withLock { seen in
            var next: [UInt64: Seen] = [:]
            var due: [(ThreadActivity, Duration)] = []
            for activity in ThreadActivity.underWay {
                var entry = seen[activity.thread] ?? Seen(activity: activity, since: now)
                if !activity.isSame(as: entry.activity) { entry = Seen(activity: activity, since: now) }
                let time = entry.since.duration(to: now)
                if time >= entry.nextReport {
                    due.append((activity, time))
                    entry.nextReport =
                        entry.nextReport == Self.patience
                        ? Self.longPatience : entry.nextReport + Self.longPatience
                }
                next[activity.thread] = entry
            }
            seen = next
            let stuck = next.filter { $1.since.duration(to: now) >= Self.patience }.keys
            let lasting = next.values.filter { $0.since.duration(to: now) >= Self.longPatience }.map(\.activity)
            return (due, Set(stuck), lasting)
        }
        ThreadActivity.setStuck(stuck)
        for (activity, time) in due { tell(of: activity, time) }
        if lasting.count(where: \.isInCall) >= server.workers, !server.isDraining {
            onStandstill(lasting.filter(\.isInTurn))
        }
    }

    private func tell(of activity: ThreadActivity, _ time: Duration) {
        let disconnected =
            activity.isInCall
            ? server.disconnectClients(of: activity.thread, isIdleOnly: time < Self.longPatience) : 0
        onStall(
            Stall(
                event: activity.isInTurn ? activity.event : nil, version: activity.turn.version, time: time,
                isWorker: activity.isInCall, disconnected: disconnected))
    }
}

extension ThreadActivity {
    fileprivate func isSame(as other: ThreadActivity) -> Bool {
        calls == other.calls && turns == other.turns
    }
}
