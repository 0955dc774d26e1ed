internal import Synchronization

/// The sessions made here that have not taken an event yet: those that make way where there is no room for another one.
///
/// A requester with more than a quarter of them loses one first, the one that asks before the one that has most; else
/// the oldest session makes way. So a client that makes sessions without end replaces its own. It takes a few steps,
/// however many sessions there are.
package final class Newcomers: Sendable {
    /// Ids in the order in which they came; those that left are skipped, and removed now and then.
    private struct Queue {
        private var ids: [SessionID] = []
        private var head = 0
        /// The number of ids that have not left.
        var count = 0

        mutating func append(_ id: SessionID) {
            ids.append(id)
            count += 1
        }

        /// The oldest id that is a member; it stays in the queue.
        mutating func first(among members: [SessionID: Requester]) -> SessionID? {
            while head < ids.count, members[ids[head]] == nil { head += 1 }
            return head < ids.count ? ids[head] : nil
        }

        /// Removes the ids that left, once they are more than half.
        mutating func tidy(among members: [SessionID: Requester]) {
            guard ids.count > 2 * count + 32 else { return }
            ids = ids[head...].filter { members[$0] != nil }
            head = 0
        }
    }

    private struct State {
        /// The sessions, with the requesters that made them.
        var members: [SessionID: Requester] = [:]
        var all = Queue()
        var queues: [Requester: Queue] = [:]
        /// The requester that had the most when a session was last added.
        var largest: Requester?

        mutating func remove(_ id: SessionID) {
            guard let client = members.removeValue(forKey: id) else { return }
            all.count -= 1
            all.tidy(among: members)
            queues[client]?.count -= 1
            if queues[client]?.count == 0 {
                queues[client] = nil
            } else {
                queues[client]?.tidy(among: members)
            }
        }

        /// True where a requester has more than its share.
        func isLarge(_ client: Requester) -> Bool {
            queues[client].map { $0.count * 4 > members.count } ?? false
        }
    }

    private let state = Mutex(State())

    package init() {}

    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }

    /// Adds a session that was just made.
    ///
    /// - Parameter client: The requester that wanted it.
    func add(_ id: SessionID, of client: Requester) {
        state.withLock { state in
            state.members[id] = client
            state.all.append(id)
            state.queues[client, default: Queue()].append(id)
            let count = state.queues[client]?.count ?? 0
            let most = state.largest.flatMap { state.queues[$0]?.count } ?? 0
            if count > most { state.largest = client }
        }
    }

    /// Removes a session that took an event, or has ended.
    func remove(_ id: SessionID) {
        state.withLock { $0.remove(id) }
    }

    /// Removes the session that makes way for a new one of a requester; nil where there is none.
    func makeWay(for client: Requester) -> SessionID? {
        state.withLock { state in
            let large = [client, state.largest].compactMap { $0 }.first(where: state.isLarge)
            let id =
                if let large { state.queues[large]?.first(among: state.members) } else {
                    state.all.first(among: state.members)
                }
            if let id { state.remove(id) }
            return id
        }
    }
}
