/// The result of erasing a session: what else has parts of it.
public struct Erasure: Equatable, Sendable {
    /// A session that has some of the erased session's events, and keeps them.
    public struct Holder: Equatable, Sendable {
        public enum Kind: String, Sendable {
            /// A fork, which shares the events.
            case fork
            /// An edited fork, which has events made from them.
            case editedFork
            /// The session from which the erased one was forked.
            case original
        }

        public let session: SessionID
        public let kind: Kind
        /// The last version up to which it has the events.
        public let version: Int

        public init(_ session: SessionID, _ kind: Kind, upTo version: Int) {
            self.session = session
            self.kind = kind
            self.version = version
        }
    }

    /// The sessions that have some of the events, by their ids.
    public var holders: [Holder]
    /// Whether the session was deleted before, and this only finished an interrupted erasure.
    public var isContinuation: Bool
    /// What remains outside of the journal's reach, and for how long: a sentence or several.
    public var remnants: String

    public init(holders: [Holder], isContinuation: Bool = false, remnants: String) {
        self.holders = holders
        self.isContinuation = isContinuation
        self.remnants = remnants
    }

    /// Finds the holders of a session's events.
    ///
    /// - Parameters:
    ///   - original: The place where the session was forked, if that session is still there.
    ///   - shares: The sessions that share its own entries, with the last version that they share.
    ///   - children: The records of sessions whose parent it is.
    package init(
        original: ForkPoint?, shares: [(session: SessionID, version: Int)], children: [SessionRecord],
        remnants: String
    ) {
        var holders: [SessionID: Holder] = [:]
        func insert(_ session: SessionID, _ kind: Holder.Kind, upTo version: Int) {
            guard version > 0, version > holders[session]?.version ?? 0 else { return }
            holders[session] = Holder(session, kind, upTo: version)
        }
        if let original { insert(original.session, .original, upTo: original.version) }
        for (session, version) in shares { insert(session, .fork, upTo: version) }
        for child in children {
            guard let parent = child.parent else { continue }
            insert(child.id, child.isEdited ? .editedFork : .fork, upTo: parent.version)
        }
        self.init(
            holders: holders.values.sorted { $0.session.description < $1.session.description }, remnants: remnants)
    }
}
