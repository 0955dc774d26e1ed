/// A place in a JSON document (RFC 6901): `/navigation/tabs/2/badge`; nothing for the whole of it.
struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// - Parameter path: The names and indices that lead there.
    init(_ path: [String]) {
        description = path.map { "/\(Self.escape($0))" }.joined()
    }

    /// A name as one part of it (section 3), by its code units: an accent may follow what is escaped.
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
