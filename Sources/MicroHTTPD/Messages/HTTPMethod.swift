internal import Glibc

/// The method of a request.
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

extension HTTPMethod {
    /// Makes the method of a request line, which ends in NUL.
    init(_ word: UnsafePointer<CChar>) {
        switch unsafe (word[0], word[1]) {
        // Of those that come nearly always a first look says enough, and the rest of the word is compared in place.
        case (0x47, 0x45) where unsafe strcmp(word, "GET") == 0: self = .get
        case (0x50, 0x4F) where unsafe strcmp(word, "POST") == 0: self = .post
        default: self = unsafe HTTPMethod(rawValue: String(cString: word))
        }
    }
}

extension HTTPMethod: CustomStringConvertible {
    public var description: String { rawValue }
}
