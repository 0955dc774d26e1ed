internal import Coordinate
internal import JSON

/// The arguments of a tool call. Null counts as missing, because many models send it. Many also send numbers and objects
/// as JSON text.
struct ToolArguments {
    private let fields: PlainValue

    /// - Parameter known: The names of all arguments. Nothing that a client sends is silently ignored.
    init(_ value: PlainValue, known: [String]) throws(ToolError) {
        guard case .object(let fields) = value else {
            throw .malformed("The arguments must be an object.", pointer: "")
        }
        for field in fields where !known.contains(field.name) {
            throw .unknownField([field.name], known: known)
        }
        self.fields = .object(fields.filter { $0.value != .null })
    }

    func string(_ name: String) throws(ToolError) -> String? {
        switch fields[field: name] {
        case nil: nil
        case .string(let text): text
        default: throw .malformed("The argument \"\(name)\" must be a string.", pointer: "/\(name)")
        }
    }

    func requiredString(_ name: String) throws(ToolError) -> String {
        guard let text = try string(name) else {
            throw .malformed("The argument \"\(name)\" is missing.", pointer: "/\(name)")
        }
        return text
    }

    func int(_ name: String, in range: ClosedRange<Int>) throws(ToolError) -> Int? {
        switch fields[field: name]?.asNumber {
        case nil: return nil
        case .int(let number) where range.contains(number): return number
        default:
            let numbers = "\(range.lowerBound) \(range.upperBound == .max ? "or more" : "to \(range.upperBound)")"
            throw .malformed("The argument \"\(name)\" must be a whole number: \(numbers).", pointer: "/\(name)")
        }
    }

    func requiredInt(_ name: String, in range: ClosedRange<Int>) throws(ToolError) -> Int {
        guard let number = try int(name, in: range) else {
            throw .malformed("The argument \"\(name)\" is missing.", pointer: "/\(name)")
        }
        return number
    }

    /// The number of an argument, which need not be whole.
    func seconds(_ name: String, upTo limit: Double) throws(ToolError) -> Double? {
        let number: Double? =
            switch fields[field: name]?.asNumber {
            case nil: nil
            case .int(let number): Double(number)
            case .double(let number): number
            default: -1
            }
        guard let number else { return nil }
        guard (0...limit).contains(number) else {
            throw .malformed("The argument \"\(name)\" must be a number: 0 to \(Int(limit)).", pointer: "/\(name)")
        }
        return number
    }

    func object(_ name: String) throws(ToolError) -> PlainValue? {
        let value = fields[field: name]
        guard case .string(let text)? = value else {
            guard case nil = value else {
                if case .object? = value { return value }
                throw .malformed("The argument \"\(name)\" must be an object.", pointer: "/\(name)")
            }
            return nil
        }
        do throws(JSONSyntaxError) {
            let parsed = try JSONParser.parse(Array(text.utf8))
            if case .object = parsed { return parsed }
            if case .null = parsed { return nil }
        } catch {
            throw .malformed(
                """
                The argument "\(name)" must be an object, not a string. As JSON text, it would need \(error.expected) at \
                line \(error.line), column \(error.column).
                """, pointer: "/\(name)")
        }
        throw .malformed("The argument \"\(name)\" must be an object, not a string.", pointer: "/\(name)")
    }

    /// One of some words.
    func choice(_ name: String, of words: [String]) throws(ToolError) -> String? {
        guard let text = try string(name) else { return nil }
        guard words.contains(text) else {
            let list = words.map { "\"\($0)\"" }.joined(separator: " or ")
            throw .malformed("The argument \"\(name)\" must be \(list).", pointer: "/\(name)")
        }
        return text
    }
}

extension PlainValue {
    /// The number in a JSON text; any other value as it is.
    var asNumber: PlainValue {
        // No number needs more digits.
        guard case .string(let text) = self, text.utf8.count <= 32 else { return self }
        switch try? JSONParser.parse(Array(text.utf8)) {
        case .int(let number)?: return .int(number)
        case .double(let number)?: return .double(number)
        default: return self
        }
    }
}
