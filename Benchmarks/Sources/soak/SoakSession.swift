import Synchronization

/// A session, as the one client that writes to it and those who follow it know it.
final class SoakSession: Sendable {
    /// Seconds until a session that nobody uses is over.
    static let idleTime = 15
    /// Seconds until only its events are kept.
    static let passivationTime = 3

    /// An event as a client sends it, and as the journal has it.
    struct Event: Equatable {
        let name: String
        var payload: [String: String] = [:]

        var json: String {
            let fields = payload.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
            return "{\"event\": \"\(name)\", \"payload\": {\(fields)}}"
        }
    }

    enum Phase {
        case open
        /// Its end was asked for.
        case ending
        /// Its client will not come back to it.
        case left
    }

    private struct State {
        var events: [Event]
        var phase = Phase.open
        var followers = 0
        var lastUse = ContinuousClock.now
    }

    let id: String
    private let state: Mutex<State>

    /// - Parameter events: Those that it has, the first one being its version 1.
    init(_ id: String, events: [Event] = []) {
        self.id = id
        state = Mutex(State(events: events))
    }

    /// The events that were acknowledged: what its version is made of.
    var events: [Event] { state.withLock { $0.events } }

    var version: Int { state.withLock { $0.events.count } }

    var phase: Phase {
        get { state.withLock { $0.phase } }
        set { state.withLock { $0.phase = newValue } }
    }

    /// Notes an event that was acknowledged with a version. Returns whether it is the next one.
    func acknowledge(_ event: Event, as version: Int) -> Bool {
        state.withLock { state in
            state.events.append(event)
            return version == state.events.count
        }
    }

    /// Notes that the server was asked for it, and knew it.
    func use() { state.withLock { $0.lastUse = .now } }

    /// Notes one who begins to follow it, or with a negative number ceases to.
    func follow(_ change: Int) { state.withLock { $0.followers += change } }

    /// Whether nobody has asked for it for so long that the server may have let it end; it counts in whole seconds.
    var mayBeOver: Bool {
        state.withLock { $0.lastUse.duration(to: .now) > .seconds(Self.idleTime - 2) }
    }

    /// Whether nobody has used it for so long that the server has to have let it end: its use is noted to a tenth of
    /// that time, and a heartbeat may pass before a follower is known to be gone.
    var hasToBeOver: Bool {
        let patience = Double(Self.idleTime) * 1.1 + 10 + 5
        return state.withLock { $0.followers == 0 && $0.lastUse.duration(to: .now) > .seconds(patience) }
    }
}

/// The sessions that may be followed.
final class Stage: Sendable {
    private let sessions = Mutex<[SoakSession]>([])

    func enter(_ session: SoakSession) { sessions.withLock { $0.append(session) } }

    func leave(_ session: SoakSession) { sessions.withLock { $0.removeAll { $0 === session } } }

    func any(using generator: inout SeededGenerator) -> SoakSession? {
        sessions.withLock { $0.randomElement(using: &generator) }
    }
}
