package import Coordinate
internal import JSON

extension SessionRecord {
    /// The form of a record in stores: JSON, with all fields but those that have columns of their own: the id, the app, and
    /// whether work is withheld.
    public var stored: [UInt8] {
        var json = JSONWriter<[UInt8]>(capacity: 128)
        json.object {
            $0.field("appVersion", appVersion)
            $0.key("options")
            $0.plain(options)
            $0.field("reference", reference)
            if let key { $0.field("key", key) }
            $0.field("createdAt", createdAt.seconds)
            if startedAt != createdAt { $0.field("startedAt", startedAt.seconds) }
            if startedReference != reference {
                $0.field("startedReference", startedReference)
                if let startedKey { $0.field("startedKey", startedKey) }
            }
            $0.field("seed", Int(seed))
            $0.field("path", path)
            if !begun.isEmpty { $0.array("begun", begun) { $0.work($1) } }
            if let parent {
                $0.object("parent") {
                    $0.field("session", parent.session.description)
                    $0.field("version", parent.version)
                }
            }
            if isEdited { $0.field("edited", true) }
            if let name { $0.field("name", name) }
            if !attributes.isEmpty {
                $0.key("attributes")
                $0.plain(attributes.plainObject)
            }
        }
        return json.finish()
    }

    /// The placeholder for a record that cannot be read.
    package init(damaged id: SessionID, app: String) {
        self.init(id: id, reference: "", app: app, appVersion: "", createdAt: Timestamp(seconds: 0), seed: 0, path: "/")
    }

    /// Reads the form of a record in stores.
    public init(
        id: SessionID, app: String, stored: [UInt8], isWorkWithheld: Bool = false
    ) throws(UnreadableJSON) {
        let fields = try JSONFields(stored)
        var parent: ForkPoint?
        if let value = fields["parent"] {
            let point = JSONFields(value)
            guard let session = SessionID(try point.string("session")) else {
                throw UnreadableJSON(reason: "parent")
            }
            parent = ForkPoint(session: session, version: try point.int("version"))
        }
        let seed = try fields.int("seed")
        guard seed >= 0 else { throw UnreadableJSON(reason: "seed") }
        var attributes: [String: String] = [:]
        if case .object(let fields) = fields["attributes"] {
            for field in fields { attributes[field.name] = field.value.string }
        }
        var startedAs: (reference: String, key: String?)?
        if let reference = try fields.optional("startedReference", fields.string) {
            startedAs = (reference, try fields.optionalString("startedKey"))
        }
        self.init(
            id: id, reference: try fields.string("reference"), key: try fields.optionalString("key"),
            app: app, appVersion: try fields.string("appVersion"), options: fields["options"] ?? .object([]),
            createdAt: Timestamp(seconds: try fields.int("createdAt")),
            startedAt: try fields.optional("startedAt", fields.int).map(Timestamp.init(seconds:)),
            startedAs: startedAs, seed: UInt64(seed),
            path: try fields.string("path"), begun: try fields.work("begun"), parent: parent,
            isEdited: fields["edited"] == .bool(true), name: try fields.optional("name", fields.string),
            attributes: attributes,
            isWorkWithheld: isWorkWithheld)
    }
}

extension SessionHead {
    /// Creates a head from the values in a store, some of which may be damaged.
    ///
    /// - Parameters:
    ///   - record: The record; `nil` if it cannot be read.
    ///   - last: The last entry; `nil` at version 0, or if it cannot be read.
    package init(
        _ session: SessionID, app: String, record: SessionRecord?, version: Int, last: JournalEntry?,
        expiresAt: Timestamp, pending: Int, crash: CrashNote?
    ) {
        let known = record ?? SessionRecord(damaged: session, app: app)
        let isLastMissing = version > 0 && last == nil
        self.init(
            record: known, version: version, path: last?.path ?? known.path, lastEventAt: last?.time,
            expiresAt: expiresAt, pending: pending, crash: crash,
            damage: record == nil ? 0 : isLastMissing ? version : nil)
    }
}

extension [String: String] {
    /// Attributes as an object, in the order of their names.
    package var plainObject: PlainValue {
        .object(sorted { $0.key < $1.key }.map { PlainField($0.key, .string($0.value)) })
    }
}
