package import Coordinate
internal import Synchronization

/// The times at which sessions with pending work are due, and the leases of these sessions, for a journal of one
/// process.
///
/// A call takes time logarithmic in the number of these sessions, for each session that it names or returns.
package final class WakeSchedule: Sendable {
    /// A session with pending work.
    private struct Pending {
        let app: String
        /// The moment from which it is due.
        var moment: Timestamp
        var isLeased = false
        /// The number of failed attempts to look after it.
        var failures = 0
    }

    private struct Wake: Comparable {
        let moment: Timestamp
        let session: SessionID

        static func < (one: Wake, other: Wake) -> Bool {
            one.moment != other.moment ? one.moment < other.moment : one.session < other.session
        }
    }

    private struct State {
        private(set) var sessions: [SessionID: Pending] = [:]
        /// The sessions of each app that are not leased, earliest first.
        private(set) var queues: [String: SortedChunks<Wake>] = [:]

        /// Changes what is known of a session; `nil` if nothing is pending in it.
        mutating func change(_ session: SessionID, _ change: (inout Pending?) -> Void) {
            let former = sessions[session]
            change(&sessions[session])
            if let former, !former.isLeased {
                queues[former.app]?.remove(Wake(moment: former.moment, session: session))
            }
            if let new = sessions[session], !new.isLeased {
                queues[new.app, default: SortedChunks()].insert(Wake(moment: new.moment, session: session))
            }
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Records the time at which a session is due; `nil` if nothing is pending in it any more.
    package func record(_ wake: Timestamp?, for session: SessionID, of app: String) {
        guard let wake else { return remove(session) }
        state.withLock { state in
            state.change(session) { pending in
                guard pending?.moment != wake else { return }
                pending = Pending(app: app, moment: wake, isLeased: pending?.isLeased ?? false)
            }
        }
    }

    /// Removes a session that has ended or has nothing pending any more, and its lease.
    package func remove(_ session: SessionID) {
        state.withLock { $0.change(session) { $0 = nil } }
    }

    /// Leases the sessions that are due and not leased, longest overdue first.
    package func leaseDue(by now: Timestamp, of app: String, limit: Int) -> [SessionID] {
        state.withLock { state in
            var chosen: [SessionID] = []
            while chosen.count < limit, let first = state.queues[app]?.first, first.moment <= now {
                state.change(first.session) { $0?.isLeased = true }
                chosen.append(first.session)
            }
            return chosen
        }
    }

    /// Leases a session; `false` if nothing is pending in it.
    package func lease(_ session: SessionID) -> Bool {
        state.withLock { state in
            state.change(session) { $0?.isLeased = true }
            return state.sessions[session] != nil
        }
    }

    /// Returns the sessions of a list that are leased.
    package func leased(of sessions: [SessionID]) -> [SessionID] {
        state.withLock { state in sessions.filter { state.sessions[$0]?.isLeased == true } }
    }

    package func endLeases(of sessions: [SessionID]) {
        endLeases(of: sessions) { $0.failures = 0 }
    }

    /// Gives back the leases of sessions whose work could not be done, and makes these sessions back off.
    package func backOff(_ sessions: [SessionID], from now: Timestamp) {
        endLeases(of: sessions) { pending in
            pending.failures += 1
            let end = now.seconds + SessionBackoff.pause(afterFailures: pending.failures)
            pending.moment = max(pending.moment, Timestamp(seconds: end))
        }
    }

    private func endLeases(of sessions: [SessionID], _ change: (inout Pending) -> Void) {
        state.withLock { state in
            for session in sessions {
                state.change(session) { pending in
                    guard var leased = pending, leased.isLeased else { return }
                    leased.isLeased = false
                    change(&leased)
                    pending = leased
                }
            }
        }
    }
}
