internal import Coordinate
internal import JSON

/// The form of entries and records in stores: JSON, all of it but what a store needs columns for.
///
/// People who look at the tables can read it, and versions to come can add fields. It holds no NUL, whatever the app and
/// its clients say.
package enum StoredForm {
    /// The form of a value that cannot be read: made by another program, or damaged.
    package struct Unreadable: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }
}

extension JournalEntry {
    /// The entry without its version and its mark.
    package var stored: [UInt8] {
        var json = JSONWriter<[UInt8]>(capacity: 320)
        json.object {
            $0.field("time", time.seconds)
            $0.field("appVersion", appVersion)
            $0.field("event", event)
            $0.key("payload")
            $0.plain(payload)
            $0.field("at", at)
            $0.field("handled", isHandled)
            if let handledBy { $0.field("handledBy", handledBy) }
            $0.field("path", path)
            if origin != .client { $0.field("origin", origin.rawValue) }
            if let pending { $0.field("pending", pending) }
            if !begun.isEmpty { $0.array("begun", begun) { $0.work($1) } }
            if !ended.isEmpty { $0.array("ended", ended) { $0.string($1) } }
            if let traceparent { $0.field("traceparent", traceparent) }
            if let retry { $0.object("retry") { $0.retry(retry) } }
        }
        return json.finish()
    }

    package init(version: Int, mark: UInt64?, stored: [UInt8]) throws(StoredForm.Unreadable) {
        let fields = try StoredFields(stored)
        self.init(
            version: version, time: Timestamp(seconds: try fields.int("time")),
            appVersion: try fields.string("appVersion"), event: try fields.string("event"),
            payload: fields["payload"] ?? .object([]), at: try fields.string("at"),
            isHandled: try fields.bool("handled"), handledBy: try fields.optionalString("handledBy"),
            path: try fields.string("path"), pending: try fields.optionalString("pending"),
            traceparent: try fields.optionalString("traceparent"), mark: mark)
        if let name = try fields.optionalString("origin") {
            guard let origin = Origin(rawValue: name) else { throw StoredForm.Unreadable(reason: "origin \(name)") }
            self.origin = origin
        }
        begun = try fields.array("begun").map { value throws(StoredForm.Unreadable) in
            let work = StoredFields(value)
            return PendingWork(
                id: try work.string("id"), name: try work.string("name"), at: try work.string("at"),
                due: try work.optionalInt("due").map(Timestamp.init(seconds:)))
        }
        ended = try fields.array("ended").map { value throws(StoredForm.Unreadable) in
            guard let id = value.string else { throw StoredForm.Unreadable(reason: "ended") }
            return id
        }
        if let value = fields["retry"] {
            let retry = StoredFields(value)
            self.retry = Retry(
                key: try retry.string("key"), fingerprint: UInt64(UInt(bitPattern: try retry.int("fingerprint"))),
                isMinimal: try retry.bool("minimal"))
        }
    }
}

extension SessionRecord {
    /// The record without its id and its app.
    package var stored: [UInt8] {
        var json = JSONWriter<[UInt8]>(capacity: 128)
        json.object {
            $0.field("appVersion", appVersion)
            $0.key("options")
            $0.plain(options)
            $0.field("createdAt", createdAt.seconds)
            $0.field("seed", Int(seed))
            $0.field("path", path)
            if let parent {
                $0.object("parent") {
                    $0.field("session", parent.session.description)
                    $0.field("version", parent.version)
                }
            }
        }
        return json.finish()
    }

    package init(id: SessionID, app: String, stored: [UInt8]) throws(StoredForm.Unreadable) {
        let fields = try StoredFields(stored)
        var parent: ForkPoint?
        if let value = fields["parent"] {
            let point = StoredFields(value)
            guard let session = SessionID(try point.string("session")) else {
                throw StoredForm.Unreadable(reason: "parent")
            }
            parent = ForkPoint(session: session, version: try point.int("version"))
        }
        let seed = try fields.int("seed")
        guard seed >= 0 else { throw StoredForm.Unreadable(reason: "seed") }
        self.init(
            id: id, app: app, appVersion: try fields.string("appVersion"), options: fields["options"] ?? .object([]),
            createdAt: Timestamp(seconds: try fields.int("createdAt")), seed: UInt64(seed),
            path: try fields.string("path"), parent: parent)
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func work(_ work: PendingWork) {
        object {
            $0.field("id", work.id)
            $0.field("name", work.name)
            $0.field("at", work.at)
            if let due = work.due { $0.field("due", due.seconds) }
        }
    }

    fileprivate mutating func retry(_ retry: Retry) {
        field("key", retry.key)
        field("fingerprint", Int(bitPattern: UInt(retry.fingerprint)))
        field("minimal", retry.isMinimal)
    }
}

/// The fields of one stored object.
private struct StoredFields {
    private let fields: PlainValue

    init(_ fields: PlainValue) {
        self.fields = fields
    }

    init(_ bytes: [UInt8]) throws(StoredForm.Unreadable) {
        do throws(JSONSyntaxError) {
            fields = try JSONParser.parse(bytes)
        } catch {
            throw StoredForm.Unreadable(reason: "expected \(error.expected) at column \(error.column)")
        }
    }

    subscript(name: String) -> PlainValue? { fields[field: name] }

    func string(_ name: String) throws(StoredForm.Unreadable) -> String {
        guard let text = self[name]?.string else { throw StoredForm.Unreadable(reason: name) }
        return text
    }

    func optionalString(_ name: String) throws(StoredForm.Unreadable) -> String? {
        self[name] == nil ? nil : try string(name)
    }

    func int(_ name: String) throws(StoredForm.Unreadable) -> Int {
        guard case .int(let number) = self[name] else { throw StoredForm.Unreadable(reason: name) }
        return number
    }

    func optionalInt(_ name: String) throws(StoredForm.Unreadable) -> Int? {
        self[name] == nil ? nil : try int(name)
    }

    func bool(_ name: String) throws(StoredForm.Unreadable) -> Bool {
        guard case .bool(let value) = self[name] else { throw StoredForm.Unreadable(reason: name) }
        return value
    }

    func array(_ name: String) throws(StoredForm.Unreadable) -> [PlainValue] {
        guard let value = self[name] else { return [] }
        guard case .array(let elements) = value else { throw StoredForm.Unreadable(reason: name) }
        return elements
    }
}
