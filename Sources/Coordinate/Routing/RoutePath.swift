/// A route, or a chain of them, as the path of a URL: `main/teams/team/ferrari`.
///
/// ```swift
/// RoutePath("/main/teams")?.components   // ["main", "teams"]
/// RoutePath("main//teams")               // nil
/// ```
public struct RoutePath: Hashable, Sendable, CustomStringConvertible {
    /// The path without a slash in front, percent-encoded where a part holds what would divide it.
    public let description: String

    /// The path that leads nowhere further.
    public static let empty = RoutePath(description: "")

    /// Reads a path as it is written in a URL: with a slash in front, and none at the end.
    ///
    /// Nil where a part is empty, an escape is malformed, or what it stands for is not UTF-8.
    public init?(_ path: String) {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var parts: [String] = []
        if path != "/" {
            for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
                guard let decoded = Self.decode(part), !decoded.isEmpty else { return nil }
                parts.append(Self.encode(decoded))
            }
        }
        description = parts.joined(separator: "/")
    }

    /// Whether there are no parts.
    public var isEmpty: Bool { description.isEmpty }

    /// The parts, decoded.
    public var components: [String] {
        description.split(separator: "/").map { Self.decode($0) ?? "" }
    }

    /// This path and another one below it.
    public func appending(_ path: RoutePath?) -> RoutePath {
        guard let path, !path.isEmpty else { return self }
        return isEmpty ? path : RoutePath(description: description + "/" + path.description)
    }

    /// Whether this path is another one, or leads on from it.
    func isBelow(_ path: RoutePath) -> Bool {
        path.isEmpty || self == path || description.hasPrefix(path.description + "/")
    }

    init(description: String) {
        self.description = description
    }

    /// The path of a route of some type, nil where it declares none.
    init?(route: Any?) {
        guard let declared = route as? any DeclaredRoutes else { return nil }
        self = declared.path
    }
}

extension RoutePath {
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

    /// The value behind one part of a path, nil where an escape is malformed or the result is not UTF-8.
    static func decode(_ part: Substring) -> String? {
        guard part.utf8.contains(UInt8(ascii: "%")) else { return String(part) }
        var bytes: [UInt8] = []
        var rest = part.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
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
