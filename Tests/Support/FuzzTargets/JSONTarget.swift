internal import Coordinate
internal import CoordinateServer
internal import Foundation
internal import JSON
internal import MicroHTTPD

extension FuzzTarget {
    /// A text is refused if it is not JSON, and otherwise read as Foundation reads it. The value is written and read
    /// again without loss, by both writers alike. The position of an error is within the text.
    package static let json = FuzzTarget("json") { input in
        let value: PlainValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(input)
        } catch {
            return try checkRefused(error, input)
        }
        try checkAccepted(value, input)
    }

    private static func checkAccepted(_ value: PlainValue, _ input: [UInt8]) throws {
        try checkWritten(value)
        let inList = try JSONParser.parse(
            [0x5B, 0x20] + input + [0x0A, 0x5D], maximumDepth: JSONParser.maximumDepth + 1)
        try require(inList.isSame(as: .array([value])), "in a list it has another value")
        guard let other = valueByFoundation(input) else { throw Violation(description: "Foundation does not read it") }
        try require(isSame(value, other), "Foundation reads \(other)")
    }

    private static func checkWritten(_ value: PlainValue) throws {
        var writer = JSONWriter<[UInt8]>()
        writer.plain(value)
        let text = writer.finish()
        let again = try JSONParser.parse(text)
        try require(again.isSame(as: value), "written and read again it has another value")
        var bodyWriter = JSONWriter<HTTPBodyWriter>(capacity: 16)
        bodyWriter.plain(value)
        try require(bodyWriter.written().finish().bytes == text, "the two writers differ")
        try require(!text.contains(0x0A), "it does not fit on a line")
    }

    private static func checkRefused(_ error: JSONSyntaxError, _ input: [UInt8]) throws {
        let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
        try require((1...lines.count).contains(error.line), "line \(error.line) of \(lines.count)")
        try require((1...lines[error.line - 1].count + 1).contains(error.column), "column \(error.column)")
        // The parser also refuses some valid JSON (RFC 8259): duplicate names, and values that are too deep or too
        // large.
        let beyond = ["no key twice", "a smaller number", "nothing nested deeper than 32 levels"]
        try require(
            beyond.contains(error.expected) || valueByFoundation(input) == nil, "refused, as it needs \(error.expected)"
        )
    }

    /// The value that Foundation reads; `nil` if the text is not JSON in UTF-8. Foundation also reads other encodings.
    private static func valueByFoundation(_ input: [UInt8]) -> Any? {
        guard !input.contains(0), !input.starts(with: "\u{FEFF}".utf8), String(validating: input, as: UTF8.self) != nil
        else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
    }

    private static func isSame(_ value: PlainValue, _ other: Any) -> Bool {
        switch value {
        case .null: return other is NSNull
        case .bool(let bool): return (other as? NSNumber)?.boolValue == bool && other is Bool
        case .int(let int):
            guard let number = other as? NSNumber else { return false }
            return number.int64Value == int || number.doubleValue == Double(int)
        case .double(let double):
            // A number with many digits loses some of them in Foundation's decimals.
            guard let other = (other as? NSNumber)?.doubleValue else { return false }
            return (double - other).magnitude <= 64 * double.ulp
        case .string(let text): return (other as? String)?.utf8.elementsEqual(text.utf8) ?? false
        case .array(let elements):
            guard let others = other as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy { isSame($0, $1) }
        case .object(let fields):
            guard let others = other as? [String: Any] else { return false }
            // Swift considers some different spellings of names equal.
            guard Set(fields.map(\.name)).count == fields.count else { return true }
            return fields.count == others.count
                && fields.allSatisfy { field in others[field.name].map { isSame(field.value, $0) } ?? false }
        }
    }
}
