package import Coordinate

/// The first line of an exported journal: the session's record.
package struct JournalHeader: Equatable, Sendable {
    /// The format of the lines.
    package static let format = 2

    package let app: String
    package let appVersion: String
    package let options: PlainValue
    /// The time of the turn that started the tree.
    package let createdAt: Timestamp
    /// The seed of the turns' random numbers.
    package let seed: UInt64
    /// The path before any event.
    package var path: String
    /// The reference with which the tree was started; `nil` if it is not known.
    package let reference: String?
    /// The key with which the tree was started; `nil` if it has none, or it is not known.
    package let key: String?
    /// Whether the session's work is withheld. An import withholds it as well.
    package let isWorkWithheld: Bool

    /// The field that says that work is withheld, here and in other documents.
    package static let withheld = "withheld"

    package init(of session: SessionRecord) {
        app = session.app
        appVersion = session.appVersion
        options = session.options
        createdAt = session.startedAt
        seed = session.seed
        path = session.path
        reference = session.startedReference.isEmpty ? nil : session.startedReference
        key = session.startedKey
        isWorkWithheld = session.isWorkWithheld
    }

    /// The values with which the session begins.
    var beginning: SessionBeginning {
        SessionBeginning(
            options: options, seed: seed, time: createdAt, reference: reference ?? "", key: key,
            isWorkWithheld: isWorkWithheld)
    }

    package init(line: [UInt8]) throws(UnreadableJSON) {
        let fields = try JSONFields(line)
        guard fields["journal"] == .int(Self.format) else {
            let example = #"{"journal": \#(Self.format), "app": "…", "appVersion": "…", …}"#
            throw UnreadableJSON(reason: "the first line of a journal must look like \(example).")
        }
        app = try fields.string("app")
        appVersion = try fields.string("appVersion")
        guard case .object = fields["options"], let options = fields["options"] else {
            throw fields.refusal("options", "an object")
        }
        self.options = options
        createdAt = try fields.time("createdAt")
        guard case .int(let seed) = fields["seed"], (0..<(1 << 53)).contains(seed) else {
            throw fields.refusal("seed", "a whole number below 2⁵³")
        }
        self.seed = UInt64(seed)
        path = try fields.string("path")
        reference = try fields.optionalString("reference")
        guard reference.map(SessionRecord.isReference) ?? true else {
            throw fields.refusal("reference", "22 letters, digits, and characters of \"-_\"")
        }
        key = try fields.optionalString("key")
        guard key.map(SessionRecord.isKey) ?? true else {
            throw fields.refusal("key", "a text of 1 to 200 bytes without control characters")
        }
        let work = try fields.optionalString("work")
        guard work == nil || work == Self.withheld else { throw fields.refusal("work", "\"\(Self.withheld)\"") }
        isWorkWithheld = work != nil
    }
}

extension JournalEntry {
    /// Reads a line of an exported journal. Unknown fields are ignored.
    ///
    /// - Parameter appVersion: The version of the app that recorded it, if the line does not name one.
    package init(line: [UInt8], recordedBy appVersion: String) throws(UnreadableJSON) {
        let fields = try JSONFields(line)
        let version = try fields.int("version")
        let time = try fields.time("time")
        guard case .object = fields["payload"], let payload = fields["payload"] else {
            throw fields.refusal("payload", "an object")
        }
        let isHandled = try fields.bool("handled")
        var origin = Origin.client
        if let name = fields["origin"] {
            guard let known = name.string.flatMap(Origin.init) else {
                let names = Origin.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.refusal("origin", "one of \(names)")
            }
            origin = known
        }
        let traceparent = try fields.optionalString(Traceparent.field)
        self.init(
            version: version, time: time,
            appVersion: fields["appVersion"] == nil ? appVersion : try fields.string("appVersion"),
            event: try fields.string("event"), payload: payload, at: try fields.string("at"), isHandled: isHandled,
            handledBy: fields["handledBy"] == .null ? nil : try fields.string("handledBy"),
            path: try fields.string("path"), origin: origin, pending: try fields.optionalString("pending"),
            traceparent: traceparent.flatMap { Traceparent.read($0.utf8) })
    }
}
