package import Coordinate
internal import HeapModule
internal import Synchronization

/// The times at which sessions with pending work are due, and the leases of these sessions, for a journal of one
/// process.
///
/// A call takes time logarithmic in the number of these sessions, for each session that it names or returns.
package final class WakeSchedule: Sendable {
    private struct Wake: Comparable {
        let moment: Timestamp
        let session: SessionID

        static func < (one: Wake, other: Wake) -> Bool { one.moment < other.moment }
    }

    private struct State {
        var wakes: [SessionID: (moment: Timestamp, app: String)] = [:]
        var leased: Set<SessionID> = []
        /// The number of failed attempts to look after each session.
        var failures: [SessionID: Int] = [:]
        /// The wakes of each app's sessions that are not leased. A queue also contains wakes that are out of date.
        var queues: [String: Heap<Wake>] = [:]

        mutating func enqueue(_ session: SessionID) {
            guard let (moment, app) = wakes[session] else { return }
            queues[app, default: []].insert(Wake(moment: moment, session: session))
            // Outdated wakes are dropped when they reach the front, or once they are the majority.
            guard let count = queues[app]?.count, count > 2 * wakes.count + 64 else { return }
            let held = wakes.filter { id, wake in wake.app == app && !leased.contains(id) }
            queues[app] = Heap(held.map { Wake(moment: $0.value.moment, session: $0.key) })
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Notes the time at which a session is due; `nil` if nothing is pending in it any more.
    package func note(_ wake: Timestamp?, for session: SessionID, of app: String) {
        guard let wake else { return remove(session) }
        state.withLock { state in
            guard state.wakes[session]?.moment != wake else { return }
            state.wakes[session] = (wake, app)
            state.failures[session] = nil
            state.enqueue(session)
        }
    }

    /// Removes a session that has ended or has nothing pending any more, and its lease.
    package func remove(_ session: SessionID) {
        state.withLock { state in
            guard !state.wakes.isEmpty, state.wakes.removeValue(forKey: session) != nil else { return }
            state.leased.remove(session)
            state.failures[session] = nil
        }
    }

    /// Leases the sessions that are due and not leased, longest overdue first.
    package func leaseDue(by now: Timestamp, of app: String, limit: Int) -> [SessionID] {
        state.withLock { state in
            var chosen: [SessionID] = []
            while chosen.count < limit, let first = state.queues[app]?.min, first.moment <= now {
                state.queues[app]?.removeMin()
                guard state.wakes[first.session]?.moment == first.moment,
                    state.leased.insert(first.session).inserted
                else { continue }
                chosen.append(first.session)
            }
            return chosen
        }
    }

    /// Leases a session; `false` if nothing is pending in it.
    package func lease(_ session: SessionID) -> Bool {
        state.withLock { state in
            guard state.wakes[session] != nil else { return false }
            state.leased.insert(session)
            return true
        }
    }

    /// Returns the sessions of a list that are leased.
    package func leased(of sessions: [SessionID]) -> [SessionID] {
        state.withLock { state in sessions.filter(state.leased.contains) }
    }

    package func endLeases(of sessions: [SessionID]) {
        state.withLock { state in
            for session in sessions where state.leased.remove(session) != nil {
                state.failures[session] = nil
                state.enqueue(session)
            }
        }
    }

    /// Gives back the leases of sessions whose work could not be done, and lets these sessions rest.
    package func rest(_ sessions: [SessionID], from now: Timestamp) {
        state.withLock { state in
            for session in sessions where state.leased.remove(session) != nil {
                guard let wake = state.wakes[session] else { continue }
                let failures = (state.failures[session] ?? 0) + 1
                state.failures[session] = failures
                let end = now.seconds + SessionRest.pause(afterFailures: failures)
                state.wakes[session]?.moment = max(wake.moment, Timestamp(seconds: end))
                state.enqueue(session)
            }
        }
    }
}
