import CoordinateTesting
import Synchronization

/// The facts that the clients of a run learned and must be able to rely on.
final class TortureLedger: Sendable {
    /// A sent event. Most events have unique payloads.
    struct Event: Equatable {
        let name: String
        let payload: JSON
        var isUnique: Bool { name == "profile.rename" }
    }

    struct History {
        var acknowledged: [Int: Event] = [:]
        /// The payloads of the events that were certainly refused.
        var refused: [JSON] = []
        /// The last version that any client learned.
        var newest = 0
        /// Whether a client has requested or observed the end of the session.
        var isEnding = false
        var hasEnded = false
        /// Routes reported by streams, by version.
        var routes: [Int: String] = [:]
    }

    enum Count: String, CaseIterable {
        case kills, acknowledged, sessions, forks, ends, conflicts, repeats, unanswered, refused, messages, reconnects
        case resets
    }

    private struct State {
        var histories: [String: History] = [:]
        /// The sessions that all clients use.
        var shared: [String] = []
        /// The state of a stream: the session, and the last version that it received.
        var streams: [Int: (session: String, version: Int)] = [:]
        var violations: [String] = []
        var counts: [Count: Int] = [:]
        var lastNumber = 0
        var isOver = false

        mutating func see(_ version: Int, of session: String) {
            if let newest = histories[session]?.newest, newest < version { histories[session]?.newest = version }
        }
    }

    private let state = Mutex(State())

    // MARK: The run

    var isOver: Bool { state.withLock { $0.isOver } }

    func finish() { state.withLock { $0.isOver = true } }

    func count(_ what: Count, by number: Int = 1) { state.withLock { $0.counts[what, default: 0] += number } }

    subscript(_ what: Count) -> Int { state.withLock { $0.counts[what] ?? 0 } }

    var violations: [String] { state.withLock { $0.violations } }

    func violation(_ text: String) { state.withLock { $0.violations.append(text) } }

    func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Waits until a number of further events are acknowledged.
    func progress(by number: Int) async throws {
        let goal = self[.acknowledged] + number
        try await wait("no more events are acknowledged") { self[.acknowledged] >= goal }
    }

    func wait(_ what: String, _ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < deadline else {
                violation("After \(self[.kills]) ends, \(what).")
                throw TortureClient.Stalled(description: "\(what): \(violations.prefix(5))")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    // MARK: Sessions

    var sessions: [String] { state.withLock { $0.histories.keys.sorted() } }

    func history(of session: String) -> History { state.withLock { $0.histories[session] ?? History() } }

    func insert(_ session: String) {
        state.withLock { $0.histories[session] = History() }
        count(.sessions)
    }

    /// Inserts a fork, which has its parent's events.
    func insert(_ session: String, forkedFrom parent: String, at version: Int) {
        state.withLock { state in
            var history = History()
            history.acknowledged = (state.histories[parent]?.acknowledged ?? [:]).filter { $0.key <= version }
            history.newest = version
            state.histories[session] = history
        }
        count(.forks)
    }

    func shared(_ place: Int) -> String { state.withLock { $0.shared[place] } }

    func share(_ session: String) { state.withLock { $0.shared.append(session) } }

    /// Replaces a shared session with another one, unless another client was faster. Returns whether it did.
    func share(_ session: String, insteadOf former: String) -> Bool {
        state.withLock { state in
            guard let place = state.shared.firstIndex(of: former) else { return false }
            state.shared[place] = session
            return true
        }
    }

    func beginEnd(of session: String) { state.withLock { $0.histories[session]?.isEnding = true } }

    func recordEnd(of session: String) {
        state.withLock { $0.histories[session]?.hasEnded = true }
        count(.ends)
    }

    /// Notes that a server reported a session as missing.
    func miss(_ session: String, by who: String) {
        if !history(of: session).isEnding {
            violation("\(session) was reported as ended to \(who), but no client ended it")
        }
    }

    // MARK: Events

    func acknowledge(_ event: Event, at version: Int, of session: String) {
        count(.acknowledged)
        state.withLock { state in
            if let other = state.histories[session]?.acknowledged[version], other != event {
                state.violations.append("\(session) has two events at \(version): \(other) and \(event)")
            }
            state.histories[session]?.acknowledged[version] = event
            state.see(version, of: session)
        }
    }

    func refuse(_ event: Event, of session: String) {
        guard event.isUnique else { return }
        state.withLock { $0.histories[session]?.refused.append(event.payload) }
    }

    /// Notes that a session was seen at a version.
    ///
    /// - Parameter least: The highest version acknowledged before the request.
    func see(_ version: Int, of session: String, atLeast least: Int, by who: String) {
        if version < least { violation("\(who) saw \(version) of \(session) after \(least) was acknowledged") }
        state.withLock { $0.see(version, of: session) }
    }

    // MARK: Streams

    var streams: [Int: (session: String, version: Int)] { state.withLock { $0.streams } }

    func leave(_ stream: Int) { state.withLock { $0.streams[stream] = nil } }

    /// Notes a stream's message.
    ///
    /// - Parameter longestCatchUp: The most versions that a stream may be behind and still get each of them.
    func receive(_ stream: Int, of session: String, _ message: LiveStream.Message, longestCatchUp: Int = 256) {
        guard let version = message.id else { return violation("A message without a version: \(message)") }
        count(.messages)
        let last = streams[stream]?.version
        if message.event == "reset" {
            count(.resets)
            if last.map({ version - $0 <= longestCatchUp }) ?? true {
                violation("Stream \(stream) of \(session) begins anew with \(version) after \(last ?? -1)")
            }
        } else if let last, version != last + 1 {
            violation("Stream \(stream) of \(session) received \(version) after \(last)")
        }
        see(version, of: session, atLeast: 0, by: "stream \(stream)")
        state.withLock { state in
            state.streams[stream] = (session, version)
            guard version.isMultiple(of: 16) else { return }
            if let other = state.histories[session]?.routes[version], other != message.data {
                state.violations.append("Streams received two routes at \(version) of \(session)")
            }
            state.histories[session]?.routes[version] = message.data
        }
    }
}
