internal import Coordinate
internal import JSON

extension JournalEntry {
    /// The form of an entry in stores: JSON, with all fields but the version and the mark, which have columns of their
    /// own.
    ///
    /// People can read it in the tables, and later versions can add fields. It contains no NUL, whatever the app and
    /// its clients send.
    public var stored: [UInt8] {
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
            if let wake { $0.field("wake", wake.seconds) }
            if let traceparent { $0.field("traceparent", traceparent) }
            if let retry { $0.object("retry") { $0.retry(retry) } }
        }
        return json.finish()
    }

    /// Reads the form of an entry in stores.
    public init(version: Int, mark: UInt64?, stored: [UInt8]) throws(UnreadableJSON) {
        let fields = try JSONFields(stored)
        self.init(
            version: version, time: Timestamp(seconds: try fields.int("time")),
            appVersion: try fields.string("appVersion"), event: try fields.string("event"),
            payload: fields["payload"] ?? .object([]), at: try fields.string("at"),
            isHandled: try fields.bool("handled"), handledBy: try fields.optional("handledBy", fields.string),
            path: try fields.string("path"), pending: try fields.optional("pending", fields.string),
            traceparent: try fields.optional("traceparent", fields.string), mark: mark)
        if let name = try fields.optional("origin", fields.string) {
            guard let origin = Origin(rawValue: name) else { throw UnreadableJSON(reason: "origin \(name)") }
            self.origin = origin
        }
        begun = try fields.work("begun")
        ended = try fields.array("ended").map { value throws(UnreadableJSON) in
            guard let id = value.string else { throw UnreadableJSON(reason: "ended") }
            return id
        }
        wake = try fields.optional("wake", fields.int).map(Timestamp.init(seconds:))
        if let value = fields["retry"] {
            let retry = JSONFields(value)
            self.retry = Retry(
                key: try retry.string("key"), fingerprint: UInt64(UInt(bitPattern: try retry.int("fingerprint"))),
                isMinimal: try retry.bool("minimal"))
        }
    }
}

extension JSONFields {
    /// The pending work in a field; empty if it is missing.
    func work(_ name: String) throws(UnreadableJSON) -> [PendingWork] {
        try array(name).map { value throws(UnreadableJSON) in
            let work = JSONFields(value)
            return PendingWork(
                id: try work.string("id"), name: try work.string("name"), at: try work.string("at"),
                due: try work.optional("due", work.int).map(Timestamp.init(seconds:)))
        }
    }
}

extension JSONWriter<[UInt8]> {
    mutating func work(_ work: PendingWork) {
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
