import CoordinateSessions
import Synchronization

/// The requests, responses and sightings of one history, and the violations among them.
final class Ledger: Sendable {
    /// A client's knowledge of one of its events.
    struct Event {
        var isAccepted = false
        /// Whether a response left it open whether it was accepted, or there was no response.
        var isUncertain = false
        /// The version at which it must be accepted, if at all.
        var condition: Int?
    }

    /// Something that was shown of a session.
    struct Sighting {
        let session: SessionID
        let version: Int
        let text: String
        let by: String
    }

    struct Request {
        let server: Int
        let text: String
        /// The time of the request.
        let time: Int
        var answers = 0
        /// Whether its client has left.
        var isAbandoned = false
    }

    struct State {
        var violations: [String] = []
        var trace: [String] = []
        var lastNumber = 0
        /// Requests by their numbers.
        var requests: [Request] = []
        /// The sessions that clients know, in the order in which they learned of them.
        var sessions: [SessionID] = []
        var versions: [SessionID: Int] = [:]
        var events: [Int: Event] = [:]
        /// The events of requests without a response yet.
        var open: [Int: Int] = [:]
        var retries: [RetryKey: RetriedEvent] = [:]
        var retryOrder: [RetryKey] = []
        var sightings: [Sighting] = []
        var ended: Set<SessionID> = []
        var lastUse: [SessionID: Int] = [:]
        var watchers: [Watcher] = []
        var attempts: [Attempt] = []
        var counts: [String: Int] = [:]
    }

    struct RetryKey: Hashable {
        let session: SessionID
        let key: String
    }

    struct RetriedEvent {
        let injection: EventInjection
        let number: Int
        var version: Int?
    }

    let state = Mutex(State())
    let isTraced: Bool

    init(isTraced: Bool) {
        self.isTraced = isTraced
    }

    func violation(_ text: String) {
        state.withLock { state in
            state.violations.append(text)
            if isTraced { state.trace.append("!! \(text)") }
        }
    }

    func trace(_ text: @autoclosure () -> String) {
        guard isTraced else { return }
        let text = text()
        state.withLock { $0.trace.append(text) }
    }

    func count(_ what: String) {
        state.withLock { $0.counts[what, default: 0] += 1 }
    }

    func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// The name of a session in a trace.
    func name(_ session: SessionID) -> String {
        state.withLock { state in state.sessions.firstIndex(of: session).map { "s\($0)" } ?? "s?" }
    }

    // MARK: Requests

    func begin(_ text: @autoclosure () -> String, on server: Int, at time: Int) -> Int {
        let text = text()
        return state.withLock { state in
            state.requests.append(Request(server: server, text: text, time: time))
            if isTraced { state.trace.append("#\(state.requests.count - 1) server \(server): \(text)") }
            return state.requests.count - 1
        }
    }

    func answer(_ request: Int, _ text: @autoclosure () -> String) {
        let text = isTraced ? text() : ""
        state.withLock { state in
            state.requests[request].answers += 1
            if isTraced { state.trace.append("   #\(request) answered: \(text)") }
        }
    }

    func isAnswered(_ request: Int) -> Bool { state.withLock { $0.requests[request].answers > 0 } }

    func know(_ session: SessionID) {
        state.withLock { state in
            state.sessions.append(session)
            state.versions[session] = 0
        }
    }

    /// Notes what a client saw. The version was committed by then, as the caller has checked.
    func see(_ session: SessionID, _ version: Int, _ text: String, by: String) {
        state.withLock { state in
            state.sightings.append(Sighting(session: session, version: version, text: text, by: by))
            state.versions[session] = max(state.versions[session] ?? 0, version)
        }
    }
}
