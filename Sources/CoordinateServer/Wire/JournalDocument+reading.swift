internal import Coordinate

/// Why a line is none of an exported journal.
struct JournalSyntaxError: Error {
    /// The end of a sentence: "its field "time" must be …".
    let reason: String
}

extension JournalHeader {
    init(line: [UInt8]) throws(JournalSyntaxError) {
        let fields = try LineFields(line)
        guard fields["journal"] == .int(Self.format) else {
            let example = #"{"journal": \#(Self.format), "app": "…", "appVersion": "…"}"#
            throw JournalSyntaxError(reason: "a journal begins with a line like \(example).")
        }
        app = try fields.string("app")
        appVersion = try fields.string("appVersion")
    }
}

extension JournalEntry {
    init(line: [UInt8]) throws(JournalSyntaxError) {
        let fields = try LineFields(line)
        guard case .int(let version) = fields["version"] else { throw fields.refusal("version", "a whole number") }
        guard let time = Timestamp(try fields.string("time")) else {
            throw fields.refusal("time", "a moment like 2026-11-21T09:30:00Z")
        }
        guard case .object = fields["payload"], let payload = fields["payload"] else {
            throw fields.refusal("payload", "an object")
        }
        guard case .bool(let isHandled) = fields["handled"] else { throw fields.refusal("handled", "true or false") }
        self.init(
            version: version, time: time, event: try fields.string("event"), payload: payload,
            at: try fields.string("at"), isHandled: isHandled,
            handledBy: fields["handledBy"] == .null ? nil : try fields.string("handledBy"),
            path: try fields.string("path"))
    }
}

/// The fields of one line.
private struct LineFields {
    private let fields: PlainValue

    init(_ line: [UInt8]) throws(JournalSyntaxError) {
        do throws(JSONSyntaxError) {
            fields = try JSONParser.parse(line)
        } catch {
            throw JournalSyntaxError(reason: "it is no JSON: expected \(error.expected) at column \(error.column).")
        }
    }

    subscript(name: String) -> PlainValue? { fields[field: name] }

    func string(_ name: String) throws(JournalSyntaxError) -> String {
        guard let text = self[name]?.string else { throw refusal(name, "a string") }
        return text
    }

    func refusal(_ name: String, _ expected: String) -> JournalSyntaxError {
        JournalSyntaxError(reason: "its field \"\(name)\" must be \(expected).")
    }
}
