/// The method of a request.
///
/// Methods are case-sensitive: `get` is `.other("get")`.
public enum HTTPMethod: Hashable, Sendable {
    case get, head, post, put, patch, delete, options
    case other(String)
}

extension HTTPMethod {
    /// Whether two methods are equal. The operator of `RawRepresentable` would compare the names.
    @inlinable
    public static func == (one: HTTPMethod, other: HTTPMethod) -> Bool {
        switch (one, other) {
        case (.get, .get), (.head, .head), (.post, .post), (.put, .put), (.patch, .patch), (.delete, .delete),
            (.options, .options):
            true
        case (.other, _), (_, .other):
            one.rawValue == other.rawValue
        default:
            false
        }
    }
}

extension HTTPMethod: RawRepresentable {
    public init(rawValue: String) {
        switch rawValue {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "PUT": self = .put
        case "PATCH": self = .patch
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        default: self = .other(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let name): name
        }
    }
}

extension HTTPMethod {
    /// Creates the method of a request line, which ends in NUL.
    init(_ word: UnsafePointer<CChar>) {
        // Compares the most frequent methods in place.
        if unsafe Self.is(word, "GET") {
            self = .get
        } else if unsafe Self.is(word, "POST") {
            self = .post
        } else {
            self = unsafe HTTPMethod(rawValue: String(cString: word))
        }
    }

    @inline(__always)  // so that the name is a constant
    private static func `is`(_ word: UnsafePointer<CChar>, _ name: StaticString) -> Bool {
        // Compares the terminating NUL as well.
        for index in 0...name.utf8CodeUnitCount
        where unsafe UInt8(bitPattern: word[index]) != name.utf8Start[index] { return false }
        return true
    }
}

extension HTTPMethod: CustomStringConvertible {
    public var description: String { rawValue }
}
