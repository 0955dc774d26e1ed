public import Coordinate

/// A session's version 0: all values from which its tree is built before any event.
public struct SessionRecord: Equatable, Sendable {
    public let id: SessionID
    /// A stable name of the session for the outside, 22 URL-safe characters. It grants nothing.
    public let reference: String
    /// The name under which a backend finds the session; `nil` if it has none. Forks and imports have none.
    public let key: String?
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
    /// The reference with which the tree was started: the session's own, or, for a fork or an import, that of the
    /// original. Empty if the original had none.
    public let startedReference: String
    /// The key with which the tree was started, as ``startedReference``.
    public let startedKey: String?
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
    /// Texts by which a backend finds the session, by their names. Forks and imports have none. The app never sees them.
    public var attributes: [String: String]
    /// Whether pending work never begins and no timer fires. Instead, clients post the outcomes.
    public let isWorkWithheld: Bool

    /// - Parameters:
    ///   - reference: A new one by default.
    ///   - startedAs: The reference and the key with which the tree was started; `nil` for the session's own.
    public init(
        id: SessionID, reference: String? = nil, key: String? = nil, app: String, appVersion: String,
        options: PlainValue = .object([]), createdAt: Timestamp, startedAt: Timestamp? = nil,
        startedAs: (reference: String, key: String?)? = nil, seed: UInt64, path: String, begun: [PendingWork] = [],
        parent: ForkPoint? = nil, isEdited: Bool = false, name: String? = nil, attributes: [String: String] = [:],
        isWorkWithheld: Bool = false
    ) {
        self.id = id
        self.reference = reference ?? Self.newReference()
        self.key = key
        self.app = app
        self.appVersion = appVersion
        self.options = options
        self.createdAt = createdAt
        self.startedAt = startedAt ?? createdAt
        (startedReference, startedKey) = startedAs ?? (self.reference, key)
        self.seed = seed
        self.path = path
        self.begun = begun
        self.parent = parent
        self.isEdited = isEdited
        self.name = name
        self.attributes = attributes
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
        SessionBeginning(
            options: options, seed: seed, time: startedAt, reference: startedReference, key: startedKey,
            isWorkWithheld: isWorkWithheld)
    }

    /// Returns a new reference, which reveals nothing about the session's id.
    package static func newReference() -> String { SessionID.random().description }
}

// MARK: Limits

extension SessionRecord {
    /// The most attributes of a session.
    package static let maximumAttributes = 16

    /// Whether a text can be a key: 1 to 200 bytes without control characters.
    package static func isKey(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether a text can be a reference: 22 URL-safe characters.
    package static func isReference(_ text: String) -> Bool {
        text.utf8.count == 22 && text.utf8.allSatisfy(SessionID.isCharacter)
    }

    /// Whether a text can be the name of an attribute: a lower-case letter, then up to 63 lower-case letters, digits,
    /// and characters of `_.-`.
    package static func isAttributeName(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count) else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                index > 0
            default: false
            }
        }
    }

    /// Whether a text can be the value of an attribute: at most 256 characters, and 1,024 bytes, without NUL, which no
    /// query can have.
    package static func isAttributeValue(_ text: String) -> Bool {
        // A single character can have any number of bytes.
        text.utf8.count <= 1_024 && text.count <= 256 && !text.utf8.contains(0)
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
    /// The moment at which it ends, unless it is used before. It is the moment recorded last, so the actual one may be
    /// somewhat later.
    public let expiresAt: Timestamp
    /// The number of pieces of work and timers that are pending.
    public let pending: Int
    /// The last crash that was recorded, whatever happened after it; `nil` if there was none.
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
    /// The session's reference. A fork or an import keeps that of its original; empty if that had none.
    package let reference: String
    /// The session's key, kept likewise; `nil` if it has none.
    package let key: String?
    /// Whether pending work never begins and no timer fires.
    package let isWorkWithheld: Bool

    /// The same values, with the work withheld.
    package var withholdingWork: SessionBeginning {
        SessionBeginning(
            options: options, seed: seed, time: time, reference: reference, key: key, isWorkWithheld: true)
    }

    package init(
        options: PlainValue = .object([]), seed: UInt64 = 0, time: Timestamp = Timestamp(seconds: 0),
        reference: String = "", key: String? = nil, isWorkWithheld: Bool = false
    ) {
        self.options = options
        self.seed = seed
        self.time = time
        self.reference = reference
        self.key = key
        self.isWorkWithheld = isWorkWithheld
    }
}
