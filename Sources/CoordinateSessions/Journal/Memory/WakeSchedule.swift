package import Coordinate
internal import Synchronization

/// The times at which sessions with pending work need looking after, and the leases of those that are being looked
/// after: for a journal of one process.
package final class WakeSchedule: Sendable {
    private struct State {
        var wakes: [SessionID: (moment: Timestamp, app: String)] = [:]
        var leased: Set<SessionID> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Notes the time at which a session needs looking after; nil where nothing is pending in it any more.
    package func note(_ wake: Timestamp?, for session: SessionID, of app: String) {
        guard let wake else { return remove(session) }
        state.withLock { $0.wakes[session] = (wake, app) }
    }

    /// Forgets a session that has ended, or in which nothing is pending any more, and its lease.
    package func remove(_ session: SessionID) {
        state.withLock { state in
            guard !state.wakes.isEmpty, state.wakes.removeValue(forKey: session) != nil else { return }
            state.leased.remove(session)
        }
    }

    /// Leases the sessions that are due and not leased, longest overdue first.
    package func leaseDue(by now: Timestamp, of app: String, limit: Int) -> [SessionID] {
        state.withLock { state in
            guard !state.wakes.isEmpty else { return [] }
            let due = state.wakes.filter { id, wake in
                wake.moment <= now && wake.app == app && !state.leased.contains(id)
            }
            let chosen = due.sorted { $0.value.moment < $1.value.moment }.prefix(limit).map(\.key)
            state.leased.formUnion(chosen)
            return chosen
        }
    }

    /// Leases a session; false where nothing is pending in it.
    package func lease(_ session: SessionID) -> Bool {
        state.withLock { state in
            guard state.wakes[session] != nil else { return false }
            state.leased.insert(session)
            return true
        }
    }

    /// The sessions of a list that are leased.
    package func leased(of sessions: [SessionID]) -> [SessionID] {
        state.withLock { state in sessions.filter(state.leased.contains) }
    }

    package func endLeases(of sessions: [SessionID]) {
        state.withLock { $0.leased.subtract(sessions) }
    }
}
