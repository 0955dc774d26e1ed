public import Coordinate

/// A session's version 0: all that its tree is made of before any event.
public struct SessionRecord: Equatable, Sendable {
    public let id: SessionID
    /// The app's name. A server has the sessions of its own app only.
    public let app: String
    /// The version of the app that made it.
    public let appVersion: String
    /// What the app was told about this session when it was made: an object.
    public let options: PlainValue
    public let createdAt: Timestamp
    /// The time of the turn that started the tree: when it was created, but a fork's and an import's is their original's.
    public let startedAt: Timestamp
    /// What the turns' random numbers are made from. Forks and imports inherit it. Below 2⁵³, so that every JSON parser
    /// reads it as it is.
    public let seed: UInt64
    /// The path before any event.
    public let path: String
    /// The work and the timers that the tree asked for when it was started.
    public let begun: [PendingWork]
    /// Whose fork it is, nil where it is none.
    public let parent: ForkPoint?

    public init(
        id: SessionID, app: String, appVersion: String, options: PlainValue = .object([]), createdAt: Timestamp,
        startedAt: Timestamp? = nil, seed: UInt64, path: String, begun: [PendingWork] = [], parent: ForkPoint? = nil
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
    }

    /// When it is to be looked after for what is pending at version 0: see ``JournalEntry/wake``.
    public var wake: Timestamp? { begun.wake(from: startedAt) }

    package var beginning: SessionBeginning { SessionBeginning(options: options, seed: seed, time: startedAt) }
}

extension [PendingWork] {
    /// When somebody has to look after these: at once where there is work, else when the first timer is due.
    package func wake(from now: Timestamp) -> Timestamp? {
        contains { $0.due == nil } ? now : lazy.compactMap(\.due).min()
    }
}

/// Where a fork left its parent.
public struct ForkPoint: Hashable, Sendable {
    public let session: SessionID
    /// The last version that both have.
    public let version: Int

    public init(session: SessionID, version: Int) {
        self.session = session
        self.version = version
    }
}

/// How far a session has come: what there is to know of it without a tree.
public struct SessionHead: Equatable, Sendable {
    public let record: SessionRecord
    public let version: Int
    /// The path after the last event.
    public let path: String
    /// Nil where there was none.
    public let lastEventAt: Timestamp?
    /// When it ends, unless it is used until then; as noted last, so it may be somewhat later.
    public let expiresAt: Timestamp
    /// How much work, and how many timers, are under way.
    public let pending: Int
    /// The last crash that was noted, whatever came after it; nil where there was none.
    public let crash: CrashNote?

    public init(
        record: SessionRecord, version: Int, path: String, lastEventAt: Timestamp?, expiresAt: Timestamp,
        pending: Int = 0, crash: CrashNote? = nil
    ) {
        self.record = record
        self.version = version
        self.path = path
        self.lastEventAt = lastEventAt
        self.expiresAt = expiresAt
        self.pending = pending
        self.crash = crash
    }
}

/// The things that a session's tree is made of before any event.
package struct SessionBeginning: Equatable, Sendable {
    /// The options that were set: an object.
    package let options: PlainValue
    /// The number that the turns' random numbers are made from.
    package let seed: UInt64
    /// The time of the turn that starts the tree.
    package let time: Timestamp

    package init(options: PlainValue = .object([]), seed: UInt64 = 0, time: Timestamp = Timestamp(seconds: 0)) {
        self.options = options
        self.seed = seed
        self.time = time
    }
}
