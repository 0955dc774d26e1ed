internal import Coordinate
internal import Synchronization

/// An object that looks after the work and the timers that are pending in sessions.
protocol WorkKeeper: AnyObject, Sendable {
    /// Updates what is pending in a session. Called without a lock held.
    func update(_ pending: PendingNote, of session: Session)
    /// Cancels everything under way for a session that has ended.
    func cancelWork(of session: SessionID)
}

/// Everything that is pending in a session, as of a version.
struct PendingNote: Sendable {
    let version: Int
    let work: [AskedWork]
    /// The version after which this server committed all entries up to this one, so that no other server can have begun
    /// work requested since; `nil` if the entries were committed earlier, or by another server.
    let lastOldVersion: Int?

    /// The same note, with the work of a former one if that is still pending: a rebuilt tree has lost its secrets.
    func keepingSecrets(of former: PendingNote) -> PendingNote {
        let known = Dictionary(former.work.map { ($0.pending.id, $0) }, uniquingKeysWith: { first, _ in first })
        return PendingNote(
            version: version, work: work.map { known[$0.pending.id] ?? $0 }, lastOldVersion: lastOldVersion)
    }

    /// Whether there is work whose secret is known here; or, if `lost` is `true`, work whose secret is lost.
    func hasSecret(lost: Bool) -> Bool {
        work.contains { asked in
            guard case .work(let body) = asked.task else { return false }
            return body.holdsSecret && body.hasLostSecret == lost
        }
    }

    /// Whether no process can have begun a piece before.
    func isNew(_ piece: PendingWork) -> Bool {
        guard let lastOldVersion, let version = piece.id.split(separator: "-").first.flatMap({ Int($0) }) else {
            return false
        }
        return version > lastOldVersion
    }
}

/// A weak reference to a host's keeper, which is created after the host and retains it.
final class WorkKeeperSlot: Sendable {
    private struct Reference: Sendable {
        weak let keeper: (any WorkKeeper)?
    }

    private let reference = Mutex(Reference(keeper: nil))

    var keeper: (any WorkKeeper)? {
        get { reference.withLock { $0.keeper } }
        set { reference.withLock { $0 = Reference(keeper: newValue) } }
    }
}
