public import Coordinate

/// A session's version 0: all values from which its tree is built before any event.
public struct SessionRecord: Equatable, Sendable {
    public let id: SessionID
    /// The app's name. A server hosts the sessions of its own app only.
    public let app: String
    /// The version of the app that created the session.
    public let appVersion: String
    /// The options with which the session was created: an object.
    public let options: PlainValue
    public let createdAt: Timestamp
    /// The time of the turn that started the tree: the session's creation, or, for a fork or an import, that of the
    /// original.
    public let startedAt: Timestamp
    /// The seed of the turns' random numbers. Forks and imports inherit it. It is below 2⁵³, so that every JSON parser
    /// reads it exactly.
    public let seed: UInt64
    /// The path before any event.
    public let path: String
    /// The work and the timers that the tree requested when it started.
    public let begun: [PendingWork]
    /// The place where the session was forked from another one; `nil` if it is not a fork.
    public let parent: ForkPoint?
    /// Whether the fork replayed its parent's events with edits. It then has entries of its own from version 1, and
    /// shares none.
    public let isEdited: Bool
    /// The name that people gave the session; `nil` if it has none.
    public var name: String?
    /// Whether pending work never begins and no timer fires. Instead, clients post the outcomes.
    public let isWorkWithheld: Bool

    public init(
        id: SessionID, app: String, appVersion: String, options: PlainValue = .object([]), createdAt: Timestamp,
        startedAt: Timestamp? = nil, seed: UInt64, path: String, begun: [PendingWork] = [], parent: ForkPoint? = nil,
        isEdited: Bool = false, name: String? = nil, isWorkWithheld: Bool = false
    ) {
        self.id = id
        self.app = app
        self.appVersion = appVersion
        self.options = options
        self.createdAt = createdAt
        self.startedAt = startedAt ?? createdAt
        self.seed = seed
        self.path = path
        self.begun = begun
        self.parent = parent
        self.isEdited = isEdited
        self.name = name
        self.isWorkWithheld = isWorkWithheld
    }

    /// The moment from which its pending work is due at version 0: see ``wake(after:)``.
    public var wake: Timestamp? { wake(after: nil) }

    /// Returns the moment from which the session's pending work is due: that of its last entry; `nil` if nothing is
    /// pending, or its work is withheld. A fork shares its parent's entries, and may withhold work that its parent does
    /// not.
    ///
    /// - Parameter last: The session's last entry; `nil` at version 0.
    public func wake(after last: JournalEntry?) -> Timestamp? {
        guard !isWorkWithheld else { return nil }
        return if let last { last.wake } else { begun.wake(from: startedAt) }
    }

    /// The session whose first entries this one shares; `nil` if it shares none.
    public var sharedParent: ForkPoint? { isEdited ? nil : parent }

    package var beginning: SessionBeginning {
        SessionBeginning(options: options, seed: seed, time: startedAt, isWorkWithheld: isWorkWithheld)
    }
}

extension [PendingWork] {
    /// The moment from which these are due: at once if there is work, else when the first timer fires.
    package func wake(from now: Timestamp) -> Timestamp? {
        contains { $0.due == nil } ? now : lazy.compactMap(\.due).min()
    }
}

/// The session from which a fork was made, and its version at that time.
public struct ForkPoint: Hashable, Sendable {
    public let session: SessionID
    /// The last version that both have in common; of an edited fork, the last event of the parent that was replayed.
    public let version: Int

    public init(session: SessionID, version: Int) {
        self.session = session
        self.version = version
    }
}

/// The version of a session, and everything else that is known without a tree.
public struct SessionHead: Equatable, Sendable {
    public let record: SessionRecord
    public let version: Int
    /// The path after the last event.
    public let path: String
    /// The time of the last event; `nil` if there was none.
    public let lastEventAt: Timestamp?
    /// The moment at which it ends, unless it is used before. It is the moment noted last, so the actual one may be
    /// somewhat later.
    public let expiresAt: Timestamp
    /// The number of pieces of work and timers that are pending.
    public let pending: Int
    /// The last crash that was noted, whatever happened after it; `nil` if there was none.
    public let crash: CrashNote?
    /// The version of the entry that cannot be read, 0 for the record; `nil` if none is known. If an entry is damaged,
    /// the path and the time of the last event may be older, and a record that cannot be read has placeholders.
    public let damage: Int?

    public init(
        record: SessionRecord, version: Int, path: String, lastEventAt: Timestamp?, expiresAt: Timestamp,
        pending: Int = 0, crash: CrashNote? = nil, damage: Int? = nil
    ) {
        self.record = record
        self.version = version
        self.path = path
        self.lastEventAt = lastEventAt
        self.expiresAt = expiresAt
        self.pending = pending
        self.crash = crash
        self.damage = damage
    }
}

/// The values with which a session begins, before any event.
package struct SessionBeginning: Equatable, Sendable {
    /// The options that were set: an object.
    package let options: PlainValue
    /// The seed of the turns' random numbers.
    package let seed: UInt64
    /// The time of the turn that starts the tree.
    package let time: Timestamp
    /// Whether pending work never begins and no timer fires.
    package let isWorkWithheld: Bool

    /// The same values, with the work withheld.
    package var withholdingWork: SessionBeginning {
        SessionBeginning(options: options, seed: seed, time: time, isWorkWithheld: true)
    }

    package init(
        options: PlainValue = .object([]), seed: UInt64 = 0, time: Timestamp = Timestamp(seconds: 0),
        isWorkWithheld: Bool = false
    ) {
        self.options = options
        self.seed = seed
        self.time = time
        self.isWorkWithheld = isWorkWithheld
    }
}
