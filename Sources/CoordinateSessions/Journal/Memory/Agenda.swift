package import Coordinate
internal import Synchronization

/// The sessions in which something is pending, and which of them somebody looks after: what a journal of one process knows
/// of leases.
package final class Agenda: Sendable {
    private struct State {
        var wakes: [SessionID: (moment: Timestamp, app: String)] = [:]
        var leased: Set<SessionID> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Notes when a session is to be looked after; nil where nothing is pending in it any more.
    package func note(_ wake: Timestamp?, for session: SessionID, of app: String) {
        state.withLock { $0.wakes[session] = wake.map { ($0, app) } }
    }

    /// Forgets a session that has ended.
    package func remove(_ session: SessionID) {
        state.withLock { state in
            guard !state.wakes.isEmpty || !state.leased.isEmpty else { return }
            state.wakes[session] = nil
            state.leased.remove(session)
        }
    }

    /// Leases those that are due and not leased, longest overdue first.
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

    package func lease(_ session: SessionID) {
        state.withLock { _ = $0.leased.insert(session) }
    }

    package func endLeases(of sessions: [SessionID]) {
        state.withLock { $0.leased.subtract(sessions) }
    }
}
