package import Coordinate

/// A session as clients receive it without a tree.
package struct SessionSummary: Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// The session has a tree here.
        case live
        /// The session has no tree until it is next used.
        case passive
        /// The session does not replay as it was recorded, or crashes the process, and accepts no more events.
        case quarantined
        /// An entry of the session cannot be read, and it accepts no more events.
        case damaged
    }

    package let head: SessionHead
    package let state: State
    /// The path of the tree, if there is one, else the recorded path.
    package let path: String
    package let expiresAt: Timestamp
}

extension Session {
    /// The summary of the session. It needs no tree.
    package func summary() async throws(SessionError) -> SessionSummary {
        let (activity, path) = activity
        return try await host.summary(of: id, state: activity, path: path)
    }

    /// The summary of the session with its head in the journal, without counting as a use.
    func summary(of head: SessionHead) -> SessionSummary {
        let (activity, path) = activity
        let expiry = host.clock.moment(at: idleSince + host.limits.idleTime)
        // Other servers may know of a later use. The journal learns of it with an allowance for later ones.
        let elsewhere = Timestamp(seconds: head.expiresAt.seconds - host.limits.idleTime / 10)
        return SessionSummary(
            head: head, state: activity, path: path ?? head.path, expiresAt: max(expiry, elsewhere))
    }

    /// The state of the session, and the path of its tree if nothing is under way.
    private var activity: (SessionSummary.State, path: String?) {
        let shown = shown
        if let quarantine = shown.quarantine { return (quarantine.state, nil) }
        return shown.hasTree || isHeldUp ? (.live, shown.path) : (.passive, nil)
    }
}

extension SessionHost {
    /// - Throws: ``SessionError/hasEnded`` if the app has no such session.
    func head(of session: SessionID) async throws(SessionError) -> SessionHead {
        do throws(JournalError) {
            if let head = try await journal.head(of: session), head.record.app == app.name { return head }
        } catch {
            throw SessionError(error)
        }
        throw .hasEnded
    }

    /// The state of a session that has no tree here.
    func state(ofPassive head: SessionHead) -> SessionSummary.State {
        if head.damage != nil { return .damaged }
        return app.crash(keepingFrom: head) == nil ? .passive : .quarantined
    }

    /// - Parameter path: The path of its tree; `nil` if it has none.
    func summary(
        of session: SessionID, state: SessionSummary.State, path: String? = nil
    ) async throws(SessionError) -> SessionSummary {
        let head = try await head(of: session)
        // Requesting it counts as a use.
        let expiry = clock.timestamp().seconds.addingReportingOverflow(limits.idleTime)
        return SessionSummary(
            head: head, state: state == .passive ? self.state(ofPassive: head) : state, path: path ?? head.path,
            expiresAt: Timestamp(seconds: expiry.overflow ? .max : expiry.partialValue))
    }
}
