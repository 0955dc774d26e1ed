/// The addresses of pages.
enum PageAddress {
    /// The address that leads to the session's screen, and to which forms are sent.
    static let root = "/app"

    /// The longest address with a path in it, in bytes. Some browsers and proxies keep no longer ones.
    static let maximumLength = 2_000
    /// The item of the query that names the page of an address without a path.
    static let item = "at"

    /// A version of a session, for a path that is too long for an address.
    struct Moment: Equatable {
        let version: Int
        /// The mark of the session.
        let session: String
    }

    /// The page that an address without a path names.
    enum Target: Equatable {
        case path(String)
        case moment(Moment)
    }

    /// The address of the screen at a path of the app: `/app/main/teams`.
    ///
    /// Browsers change some paths: they resolve `..`, for example. Such a path is in the query: `/app?at=/note/..`. In
    /// place of a path that is too long, the address names a moment at which the session was there: `/app?at=7.3af0`.
    ///
    /// - Parameter moment: A moment at which the session is at the path; `nil` if there is none.
    static func of(_ path: String, at moment: Moment? = nil) -> String {
        let plain = root + path
        if plain.utf8.count <= maximumLength, isKept(path) { return plain }
        let encoded = "\(root)?\(item)=\(queryValue(path))"
        if encoded.utf8.count <= maximumLength { return encoded }
        return moment.map { "\(root)?\(item)=\($0.version).\($0.session)" } ?? root
    }

    /// Reads the decoded value of the query's ``item``; `nil` if it names no page.
    static func target(_ value: String) -> Target? {
        if value.utf8.first == UInt8(ascii: "/") { return .path(value) }
        guard let dot = value.utf8.firstIndex(of: UInt8(ascii: ".")), let version = Int(value[..<dot]), version >= 0
        else { return nil }
        return .moment(Moment(version: version, session: String(value[value.utf8.index(after: dot)...])))
    }

    /// A text as the value of a query's item, percent-encoded.
    static func queryValue(_ text: String) -> String {
        encoded(text) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "/")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// A text with its other bytes percent-encoded.
    static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            if isKept(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// Whether browsers and this server keep a path as it is: it has no part that browsers resolve (`.` and `..`, also
    /// escaped), no empty part, and no NUL.
    private static func isKept(_ path: String) -> Bool {
        if path == "/" { return true }
        let end = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
        let parts = path.utf8[..<end].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !["", ".", ".."].contains(Substring(part).lowercased().replacing("%2e", with: "."))
        }
        return (isPlain || end == path.startIndex) && !path.contains("%00")
    }
}
