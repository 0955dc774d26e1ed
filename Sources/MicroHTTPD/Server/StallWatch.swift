internal import Dispatch
internal import Synchronization

/// A watch for threads that the app blocks: with a turn that takes long, or never ends.
///
/// A blocked worker serves none of its clients, and accepts no new ones, which others do. So its clients are
/// disconnected, to come to another worker when they connect again: those between requests after a second, the others
/// after ten. Once all workers have been blocked for ten seconds, no client is served any more.
public final class StallWatch: Sendable {
    /// A thread that makes no progress.
    public struct Stall: Sendable {
        /// The event of its turn; nil where it waits for another thread.
        public let event: String?
        /// The version to which the turn leads.
        public let version: Int
        public let time: Duration
        /// True where it serves clients.
        public let isWorker: Bool
        /// The number of its clients that were disconnected.
        public let disconnected: Int
    }

    private struct Seen {
        var activity: ThreadActivity
        var since: ContinuousClock.Instant
        var nextReport = StallWatch.patience
    }

    /// The time after which a stall is reported.
    static let patience = Duration.seconds(1)
    /// The time after which busy clients are disconnected, too; and the interval of further reports.
    static let longPatience = Duration.seconds(10)
    private static let period = Duration.milliseconds(250)

    private let server: HTTPServer
    private let onStall: @Sendable (Stall) -> Void
    private let onStandstill: @Sendable ([ThreadActivity]) -> Void
    private let seen = Mutex<[UInt64: Seen]>([:])
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// - Parameters:
    ///   - onStall: Called with each stall after a second, and every ten seconds.
    ///   - onStandstill: Called once no worker is left, with the threads that have been in a turn for so long.
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
