internal import Synchronization

/// The sessions created here that have not accepted an event yet. If the server is full, it ends one of them for a new
/// session.
///
/// Such a session can be ended if it was not used for a minute. A client with more than a quarter of these sessions
/// loses one of its own first, so a client that creates sessions without end replaces its own, or is refused. Among the
/// sessions of one client, and otherwise among all, the least recently used one is ended. Finding it takes a few
/// steps, however many sessions there are.
package final class EvictionQueue: Sendable {
    /// The time in which a used session is not ended for another one, in seconds.
    package static let protection = 60
    /// The number of sessions up to which a client does not flood the server.
    private static let handful = 4

    private struct Member {
        let client: ClientKey
        /// The last known use, by the monotonic clock.
        var use: Int
    }

    /// Sessions by the second of their last use. An entry may be older than the last known use.
    private struct Calendar {
        private var seconds: [Int: ArraySlice<SessionID>] = [:]
        private var first = Int.max
        private var entries = 0
        /// The number of entries whose sessions have not left.
        var count = 0

        mutating func insert(_ id: SessionID, at second: Int) {
            seconds[second, default: []].append(id)
            first = min(first, second)
            entries += 1
        }

        /// Removes the entry of the least recently used session, up to a second.
        mutating func removeFirst(upTo second: Int) -> (id: SessionID, second: Int)? {
            guard entries > 0 else { return nil }
            while first <= second {
                if let id = seconds[first]?.popFirst() {
                    entries -= 1
                    return (id, first)
                }
                seconds[first] = nil
                first += 1
            }
            return nil
        }

        /// Removes the entries of sessions that left, once they are more than half.
        mutating func tidy(among members: [SessionID: Member]) {
            guard entries > 2 * count + 32 else { return }
            seconds = seconds.compactMapValues { ids in
                let rest = ids.filter { members[$0] != nil }
                return rest.isEmpty ? nil : rest[...]
            }
            entries = seconds.values.reduce(0) { $0 + $1.count }
        }
    }

    /// The numbers of sessions that clients created recently, without those that they ended.
    private struct Creations {
        private var window = 0
        private var current: [ClientKey: Int] = [:]
        private var former: [ClientKey: Int] = [:]
        /// The client that created the most.
        private(set) var largest: ClientKey?

        /// - Parameter window: The number of the present window of time.
        mutating func note(_ client: ClientKey, in window: Int) {
            if window != self.window {
                former = window == self.window + 1 ? current : [:]
                current = [:]
                self.window = window
                largest = former.max { $0.value < $1.value }?.key
            }
            current[client, default: 0] += 1
            if count(of: client) > largest.map(count) ?? 0 { largest = client }
        }

        mutating func noteEnd(of client: ClientKey) {
            if current[client] != nil { current[client, default: 0] -= 1 }
        }

        func count(of client: ClientKey) -> Int { current[client, default: 0] + former[client, default: 0] }

        func hasOthers(than client: ClientKey) -> Bool {
            current.keys.contains { $0 != client } || former.keys.contains { $0 != client }
        }
    }

    private struct State {
        var members: [SessionID: Member] = [:]
        var all = Calendar()
        var calendars: [ClientKey: Calendar] = [:]
        /// The client that had the most when a session was last added.
        var largest: ClientKey?
        var creations = Creations()

        mutating func insert(_ id: SessionID, of client: ClientKey, at second: Int) {
            members[id] = Member(client: client, use: second)
            all.insert(id, at: second)
            all.count += 1
            calendars[client, default: Calendar()].insert(id, at: second)
            calendars[client]?.count += 1
            let most = largest.flatMap { calendars[$0]?.count } ?? 0
            if calendars[client]?.count ?? 0 > most { largest = client }
        }

        mutating func remove(_ id: SessionID) {
            guard let member = members.removeValue(forKey: id) else { return }
            all.count -= 1
            all.tidy(among: members)
            calendars[member.client]?.count -= 1
            if calendars[member.client]?.count == 0 {
                calendars[member.client] = nil
            } else {
                calendars[member.client]?.tidy(among: members)
            }
        }

        /// Whether a client has more than a quarter of a number of sessions.
        func has(_ client: ClientKey, moreThanQuarterOf total: Int) -> Bool {
            calendars[client].map { $0.count > EvictionQueue.handful && $0.count * 4 > total } ?? false
        }

        /// Removes the least recently used member of a calendar, if it was not used since a second.
        mutating func removeUnused(
            in calendar: inout Calendar, since second: Int, _ use: (SessionID) -> Int?
        ) -> SessionID? {
            while let entry = calendar.removeFirst(upTo: second) {
                guard let known = members[entry.id]?.use else { continue }
                let last = max(known, use(entry.id) ?? known)
                guard last > entry.second else { return entry.id }
                members[entry.id]?.use = last
                calendar.insert(entry.id, at: last)
            }
            return nil
        }
    }

    private let state = Mutex(State())
    /// The width of the windows of time in which creations are counted, in seconds.
    private let windowWidth: Int

    /// - Parameter idleTime: The time after which sessions expire, in seconds.
    package init(idleTime: Int) {
        windowWidth = max(1, idleTime)
    }

    /// Notes that a client created a session, of any kind.
    func noteCreation(by client: ClientKey, at now: Int) {
        state.withLock { $0.creations.note(client, in: now / windowWidth) }
    }

    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }

    /// Notes that a client ended a session.
    func noteEnd(by client: ClientKey) {
        state.withLock { $0.creations.noteEnd(of: client) }
    }

    /// Adds a session that was just created, or one that turned out to have been used.
    ///
    /// - Parameters:
    ///   - client: The client that wanted it.
    ///   - use: Its last use, by the monotonic clock.
    func add(_ id: SessionID, of client: ClientKey, usedAt use: Int) {
        state.withLock { $0.insert(id, of: client, at: use) }
    }

    /// Removes a session that accepted an event, or has ended.
    func remove(_ id: SessionID) {
        state.withLock { $0.remove(id) }
    }

    /// Whether a client recently created more than a quarter of a number of sessions, and more than any other.
    func isFlooding(_ client: ClientKey, _ places: Int) -> Bool {
        state.withLock { state in
            let count = state.creations.count(of: client)
            return count > Self.handful && count * 4 > places && state.creations.largest == client
                && state.creations.hasOthers(than: client)
        }
    }

    /// Removes the session that is ended for a new one.
    ///
    /// - Parameters:
    ///   - client: The client that wants the new one.
    ///   - now: The time, by the monotonic clock.
    ///   - use: Returns the last use of a session; `nil` if it is not in memory.
    /// - Returns: The session; `nil` if none can be ended for this client.
    func makeWay(for client: ClientKey, at now: Int, lastUse use: (SessionID) -> Int?) -> (
        id: SessionID, of: ClientKey
    )? {
        state.withLock { state in
            let second = now - Self.protection
            let large = [client, state.largest].compactMap { $0 }
                .first { state.has($0, moreThanQuarterOf: state.members.count) }
            var id: SessionID?
            if let large, var calendar = state.calendars[large] {
                state.calendars[large] = nil
                id = state.removeUnused(in: &calendar, since: second, use)
                state.calendars[large] = calendar
            }
            // A client that floods the server is refused before others lose a session to it.
            if id == nil, large != client {
                var all = state.all
                state.all = Calendar()
                id = state.removeUnused(in: &all, since: second, use)
                state.all = all
            }
            guard let id, let member = state.members[id] else { return nil }
            state.remove(id)
            return (id, member.client)
        }
    }
}
