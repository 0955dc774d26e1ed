import CoordinateTesting
import Foundation

/// A validator for the parts of JSON Schema 2020-12 that the description uses.
///
/// It is stricter than a client should be: an undescribed field is a violation, and so is an unknown keyword.
struct JSONSchema {
    let schema: JSON
    /// The document to which every `$ref` refers.
    let root: JSON

    /// The violations of a value, each with a pointer to its place; empty if it is valid.
    func violations(of value: JSON) -> [String] {
        violations(of: value, schema, at: "")
    }

    /// The unknown keywords in this schema and its subschemas.
    var unknownKeywords: Set<String> {
        let within = Self.within(schema).map { JSONSchema(schema: $0, root: root).unknownKeywords }
        return within.reduce(Set(schema.object.keys).subtracting(Self.keywords)) { $0.union($1) }
    }

    private static let annotations: Set = ["description", "examples", "default", "discriminator", "x-enum-varnames"]
    private static let keywords = annotations.union([
        "$ref", "type", "const", "enum", "oneOf", "properties", "required", "additionalProperties", "items",
        "prefixItems", "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength", "pattern", "format",
    ])

    private static func within(_ schema: JSON) -> [JSON] {
        let lists = ["oneOf", "prefixItems"].flatMap { schema[$0]?.array ?? [] }
        let fields = schema["properties"]?.object.map(\.value) ?? []
        return lists + fields + ["items", "additionalProperties"].compactMap { schema[$0] }
    }

    // MARK: Values

    /// The joint result of the schemas at one place.
    private struct Verdict {
        var violations: [String] = []
        /// The fields described by one of them.
        var described: Set<String> = []

        mutating func add(_ other: Verdict) {
            violations += other.violations
            described.formUnion(other.described)
        }
    }

    private func violations(of value: JSON, _ schema: JSON, at place: String) -> [String] {
        let verdict = verdict(on: value, schema, at: place)
        let undescribed = Set(value.object.keys).subtracting(verdict.described).sorted()
        return verdict.violations + undescribed.map { "\(place)/\($0) is not described" }
    }

    private func verdict(on value: JSON, _ schema: JSON, at place: String) -> Verdict {
        if schema == true { return Verdict(described: Set(value.object.keys)) }
        guard case .object(let keywords) = schema else { return Verdict(violations: ["\(place): no schema"]) }
        // Without a keyword that restricts it, a value can be anything.
        if Self.annotations.isSuperset(of: keywords.keys) { return Verdict(described: Set(value.object.keys)) }
        var verdict = Verdict()
        for (keyword, argument) in keywords.sorted(by: { $0.key < $1.key }) {
            switch keyword {
            case "$ref": verdict.add(self.verdict(on: value, root[reference: argument.string] ?? .null, at: place))
            case "oneOf": verdict.add(one(of: argument.array, fits: value, at: place))
            case "properties": verdict.add(fields(of: value, at: place) { argument[$0] })
            case "additionalProperties":
                verdict.add(fields(of: value, at: place) { schema["properties"][$0] == nil ? argument : nil })
            case "required":
                guard case .object(let fields) = value else { continue }
                let missing = argument.array.compactMap(\.string).filter { fields[$0] == nil }
                verdict.violations += missing.map { "\(place)/\($0) is missing" }
            case "items", "prefixItems", "minItems", "maxItems":
                verdict.violations += elements(of: value, keyword, argument, schema, at: place)
            default:
                guard fits(value, keyword, argument) != true, !Self.annotations.contains(keyword) else { continue }
                let isKnown = Self.keywords.contains(keyword)
                verdict.violations.append(
                    isKnown ? "\(place): \(keyword) \(argument.text), not \(value.text)" : "unknown keyword \(keyword)")
            }
        }
        return verdict
    }

    private func one(of schemas: [JSON], fits value: JSON, at place: String) -> Verdict {
        let verdicts = schemas.map { verdict(on: value, $0, at: place) }
        let fitting = verdicts.filter(\.violations.isEmpty)
        if let verdict = fitting.first, fitting.count == 1 { return verdict }
        let reasons = fitting.isEmpty ? verdicts.flatMap(\.violations) : []
        return Verdict(
            violations: ["\(place): fits \(fitting.count) of \(schemas.count) \(reasons)"],
            described: Set(value.object.keys))
    }

    /// - Parameter schema: The schema of a field; `nil` if there is none.
    private func fields(of value: JSON, at place: String, schema: (String) -> JSON?) -> Verdict {
        var verdict = Verdict()
        for (name, field) in value.object.sorted(by: { $0.key < $1.key }) {
            guard let schema = schema(name) else { continue }
            verdict.described.insert(name)
            verdict.violations += violations(of: field, schema, at: "\(place)/\(name)")
        }
        return verdict
    }

    private func elements(
        of value: JSON, _ keyword: String, _ argument: JSON, _ schema: JSON, at place: String
    ) -> [String] {
        guard case .array(let elements) = value else { return [] }
        let first = schema["prefixItems"]?.array ?? []
        switch keyword {
        case "items":
            return elements.enumerated().dropFirst(first.count).flatMap { index, element in
                violations(of: element, argument, at: "\(place)/\(index)")
            }
        case "prefixItems":
            return zip(elements, first).enumerated().flatMap { index, pair in
                violations(of: pair.0, pair.1, at: "\(place)/\(index)")
            }
        default:
            let limit = argument.int ?? 0
            let fits = keyword == "minItems" ? elements.count >= limit : elements.count <= limit
            return fits ? [] : ["\(place): \(elements.count) elements, \(keyword) \(limit)"]
        }
    }

    // MARK: Keywords for the value only

    /// Whether a value satisfies a keyword; `nil` for any other keyword.
    private func fits(_ value: JSON, _ keyword: String, _ argument: JSON) -> Bool? {
        switch (keyword, value) {
        case ("type", _): return ([argument] + argument.array).compactMap(\.string).contains(where: value.is)
        case ("const", _): return value == argument
        case ("enum", _): return argument.array.contains(value)
        case ("minimum", .int(let number)): return number >= argument.int ?? .max
        case ("maximum", .int(let number)): return number <= argument.int ?? .min
        case ("minLength", .string(let text)): return text.unicodeScalars.count >= argument.int ?? .max
        case ("maxLength", .string(let text)): return text.unicodeScalars.count <= argument.int ?? .min
        case ("pattern", .string(let text)):
            return argument.string.flatMap { text.range(of: $0, options: .regularExpression) } != nil
        case ("format", .string(let text)):
            return argument == "password" || argument == "date-time" && (try? Date(text, strategy: .iso8601)) != nil
        // These keywords apply to values of their own kinds only.
        case ("minimum", _), ("maximum", _), ("minLength", _), ("maxLength", _), ("pattern", _), ("format", _):
            if case .double = value { return false }
            return true
        default: return nil
        }
    }
}

extension JSON {
    /// The target of a reference within this document, such as `#/components/schemas/Route`.
    subscript(reference reference: String?) -> JSON? {
        guard let parts = reference?.split(separator: "/"), parts.first == "#" else { return nil }
        return parts.dropFirst().reduce(self as JSON?) { json, part in json[String(part)] }
    }

    /// Whether this is of one of JSON Schema's types.
    fileprivate func `is`(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .int: type == "integer" || type == "number"
        case .double: type == "number"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }

    fileprivate var text: String { String(decoding: encoded, as: UTF8.self) }
}
