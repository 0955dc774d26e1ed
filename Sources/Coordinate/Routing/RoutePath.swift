/// A route, or a chain of them, as the path of a URL without the slash in front: `team/ferrari`.
public struct RoutePath: Hashable, Sendable, CustomStringConvertible {
    /// The path, percent-encoded where a part holds what would divide it.
    public let description: String

    /// The path that leads nowhere further.
    public static let empty = RoutePath(description: "")

    public var isEmpty: Bool { description.isEmpty }

    /// This path and another one below it.
    public func appending(_ path: RoutePath?) -> RoutePath {
        guard let path, !path.isEmpty else { return self }
        return isEmpty ? path : RoutePath(description: "\(description)/\(path)")
    }

    init(description: String) {
        self.description = description
    }

    /// The path of a route of some type, nil where it declares none.
    init?(route: Any?) {
        guard let declared = route as? any DeclaredRoutes else { return nil }
        self = declared.path
    }

    /// A value as one part of a path (RFC 3986, section 3.3: unreserved characters stay as they are).
    static func encode(_ part: String) -> String {
        guard !part.utf8.allSatisfy(isUnreserved) else { return part }
        let digits = Array("0123456789ABCDEF")
        return part.utf8.reduce(into: "") { encoded, byte in
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded.append("%")
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
