/// The fields of a message's head in their order. A name may occur more than once.
///
/// ```swift
/// var fields: HTTPFields = [.contentType: "text/plain", .vary: "Accept", .vary: "Origin"]
/// fields.append(.retryAfter, "\(seconds)")
/// ```
public struct HTTPFields: Hashable, Sendable {
    private var all: [HTTPField]

    public init(_ fields: [HTTPField] = []) {
        all = fields
    }

    /// The value of the first field with a name.
    public subscript(name: HTTPField.Name) -> HTTPField.Value? {
        all.first { $0.name == name }?.value
    }

    public mutating func append(_ name: HTTPField.Name, _ value: HTTPField.Value) {
        all.append(HTTPField(name, value))
    }

    /// These fields, with those of the same names replaced.
    public func replaced(by fields: HTTPFields) -> HTTPFields {
        isEmpty ? fields : HTTPFields(all.filter { fields[$0.name] == nil } + fields.all)
    }

    public static func + (first: HTTPFields, second: HTTPFields) -> HTTPFields {
        second.isEmpty ? first : first.isEmpty ? second : HTTPFields(first.all + second.all)
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral fields: (HTTPField.Name, HTTPField.Value)...) {
        self.init(fields.map(HTTPField.init))
    }
}

extension HTTPFields: RandomAccessCollection {
    public var startIndex: Int { all.startIndex }
    public var endIndex: Int { all.endIndex }
    public subscript(index: Int) -> HTTPField { all[index] }
}
