/// What a request asks to be done, as its first word says.
///
/// Methods are case-sensitive: `get` is `.other("get")`.
public enum HTTPMethod: Hashable, Sendable {
    case get, head, post, put, patch, delete, options
    case other(String)
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

extension HTTPMethod: CustomStringConvertible {
    public var description: String { rawValue }
}
