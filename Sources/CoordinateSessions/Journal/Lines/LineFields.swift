internal import Coordinate
internal import JSON

/// Why a line is none of an exported journal.
struct JournalSyntaxError: Error {
    /// The end of a sentence: "its field "time" must be …".
    let reason: String
}

/// The fields of one line.
struct LineFields {
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

    /// A string that may be missing, or null.
    func optionalString(_ name: String) throws(JournalSyntaxError) -> String? {
        switch self[name] {
        case nil, .null: nil
        default: try string(name)
        }
    }

    func time(_ name: String) throws(JournalSyntaxError) -> Timestamp {
        guard let time = Timestamp(try string(name)) else {
            throw refusal(name, "a moment like 2026-11-21T09:30:00Z")
        }
        return time
    }

    func refusal(_ name: String, _ expected: String) -> JournalSyntaxError {
        JournalSyntaxError(reason: "its field \"\(name)\" must be \(expected).")
    }
}
