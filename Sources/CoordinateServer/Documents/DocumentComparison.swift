internal import Coordinate

/// A comparison of two JSON documents, an older and a newer one.
///
/// Fields are matched by name. Array elements are matched by their `id`, or else by their position among those without
/// one. So a value that only moved is not a change. A value that appears or disappears is one change, with everything
/// in it. A missing value equals null.
///
/// The time grows with the size of the documents. The reader of the documents must limit their depth.
struct DocumentComparison {
    /// A value that differs, was added or was removed.
    struct Change: Equatable, Sendable {
        /// The place in the newer document, or in the older one if the value was removed.
        let pointer: JSONPointer
        /// The value in the older document; null if it was missing.
        let older: PlainValue
        /// The value in the newer document; null if it is missing.
        let newer: PlainValue
    }

    /// A value in an object or an array.
    private struct Member {
        let key: Key
        /// The name or the index of the member in a pointer.
        let step: String
        let value: PlainValue
    }

    /// The key that matches a member of one document with one of the other. Texts are compared by code units.
    private enum Key: Hashable {
        case name([UInt8])
        /// - Parameter occurrence: 0 for the first element with this id, 1 for the second.
        case id(ID, occurrence: Int)
        /// The place among the elements without an id.
        case place(Int)
    }

    private enum ID: Hashable {
        case text([UInt8])
        case number(Int)
    }

    private var olderPath: [String] = []
    private var newerPath: [String] = []
    private var changes: [Change] = []

    private init() {}

    /// The changes, in the order of the newer document. A removed value comes after the one that it followed.
    static func changes(from older: PlainValue, to newer: PlainValue) -> [Change] {
        var comparison = DocumentComparison()
        comparison.compare(older, newer)
        return comparison.changes
    }

    private mutating func compare(_ older: PlainValue, _ newer: PlainValue) {
        switch (older, newer) {
        case (.object(let older), .object(let newer)): compare(Self.members(of: older), Self.members(of: newer))
        case (.array(let older), .array(let newer)): compare(Self.members(of: older), Self.members(of: newer))
        default: if !Self.areSame(older, newer) { appendChange(older, newer, at: newerPath) }
        }
    }

    private mutating func compare(_ older: [Member], _ newer: [Member]) {
        let places = Dictionary(newer.indices.map { (newer[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
        var former: [Int: Member] = [:]
        // By the position of the last remaining element before them; 0 if there is none.
        var gone: [Int: [Member]] = [:]
        var following = 0
        for member in older {
            if let place = places[member.key] {
                former[place] = member
                following = place + 1
            } else {
                gone[following, default: []].append(member)
            }
        }
        for place in 0...newer.count {
            for member in gone[place] ?? [] { appendChange(member.value, .null, at: olderPath + [member.step]) }
            guard place < newer.count else { return }
            let member = newer[place]
            guard let before = former[place] else {
                appendChange(.null, member.value, at: newerPath + [member.step])
                continue
            }
            olderPath.append(before.step)
            newerPath.append(member.step)
            compare(before.value, member.value)
            olderPath.removeLast()
            newerPath.removeLast()
        }
    }

    private mutating func appendChange(_ older: PlainValue, _ newer: PlainValue, at path: [String]) {
        guard older != .null || newer != .null else { return }
        changes.append(Change(pointer: JSONPointer(path), older: older, newer: newer))
    }

    // MARK: Members

    private static func members(of fields: [PlainField]) -> [Member] {
        fields.map { Member(key: .name(Array($0.name.utf8)), step: $0.name, value: $0.value) }
    }

    private static func members(of elements: [PlainValue]) -> [Member] {
        var occurrences: [ID: Int] = [:]
        var others = 0
        return elements.enumerated().map { index, element in
            guard let id = id(of: element) else {
                others += 1
                return Member(key: .place(others - 1), step: "\(index)", value: element)
            }
            let occurrence = occurrences[id, default: 0]
            occurrences[id] = occurrence + 1
            return Member(key: .id(id, occurrence: occurrence), step: "\(index)", value: element)
        }
    }

    private static func id(of element: PlainValue) -> ID? {
        switch element[field: "id"] {
        case .string(let text): .text(Array(text.utf8))
        case .int(let number): .number(number)
        default: nil
        }
    }

    // MARK: Values

    /// Whether two values are equal, unless both are objects or both are arrays. Numbers are compared by value.
    private static func areSame(_ one: PlainValue, _ other: PlainValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.int(let one), .int(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.int(let whole), .double(let number)), (.double(let number), .int(let whole)):
            Int(exactly: number) == whole
        default: false
        }
    }
}

/// A place in a JSON document (RFC 6901): `/navigation/tabs/2/badge`; empty for the whole document.
struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// - Parameter path: The names and indices that lead to the place.
    init(_ path: [String]) {
        description = path.map { "/\(Self.escape($0))" }.joined()
    }

    /// A name as one part of a pointer (section 3), escaped by code units, because a combining character may follow.
    private static func escape(_ name: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped.append(contentsOf: "~0".unicodeScalars)
            case "/": escaped.append(contentsOf: "~1".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
