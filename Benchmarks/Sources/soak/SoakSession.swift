import CoordinateClient
import SeededGenerator
import Synchronization

/// A session, as its writer and its followers know it.
final class SoakSession: Sendable {
    /// The seconds until an unused session ends.
    static let idleTime = 15
    /// The seconds until an unused session becomes passive.
    static let passivationTime = 3

    /// An event as a client sends it and as the journal records it.
    struct Event: Equatable {
        let name: String
        var payload: [String: String] = [:]

        var json: JSON { ["event": .string(name), "payload": .object(payload.mapValues(JSON.string))] }
    }

    enum Phase {
        case open
        /// The end was requested.
        case ending
        /// The client will not return to it.
        case left
    }

    private struct State {
        var events: [Event]
        var phase = Phase.open
        var followers = 0
        var lastUse = ContinuousClock.now
    }

    let id: String
    /// The path of its document.
    var path: String { "/sessions/\(id)" }
    private let state: Mutex<State>

    /// - Parameter events: The session's events. The first one is version 1.
    init(_ id: String, events: [Event] = []) {
        self.id = id
        state = Mutex(State(events: events))
    }

    /// The acknowledged events. Their number is the version.
    var events: [Event] { state.withLock { $0.events } }

    var version: Int { state.withLock { $0.events.count } }

    var phase: Phase {
        get { state.withLock { $0.phase } }
        set { state.withLock { $0.phase = newValue } }
    }

    /// Records an acknowledged event and its version. Returns whether it is the next version.
    func acknowledge(_ event: Event, as version: Int) -> Bool {
        state.withLock { state in
            state.events.append(event)
            return version == state.events.count
        }
    }

    /// Records a successful request for the session.
    func use() { state.withLock { $0.lastUse = .now } }

    /// Records a new follower, or with a negative number one that leaves.
    func follow(_ change: Int) { state.withLock { $0.followers += change } }

    /// Whether the session was unused for so long that it may have ended. The server counts in whole seconds.
    var mayBeOver: Bool {
        state.withLock { $0.lastUse.duration(to: .now) > .seconds(Self.idleTime - 2) }
    }

    /// Whether the session was unused for so long that it must have ended. The server records its use to a tenth of
    /// that time, and detects a lost follower after up to one heartbeat.
    var hasToBeOver: Bool {
        let patience = Double(Self.idleTime) * 1.1 + 10 + 5
        return state.withLock { $0.followers == 0 && $0.lastUse.duration(to: .now) > .seconds(patience) }
    }
}

/// The sessions that can be followed.
final class Stage: Sendable {
    private let sessions = Mutex<[SoakSession]>([])

    func enter(_ session: SoakSession) { sessions.withLock { $0.append(session) } }

    func leave(_ session: SoakSession) { sessions.withLock { $0.removeAll { $0 === session } } }

    func any(using generator: inout SeededGenerator) -> SoakSession? {
        sessions.withLock { $0.randomElement(using: &generator) }
    }
}
