internal import MicroHTTPD

extension FuzzTarget {
    /// A cookie is found byte by byte as in RFC 6265: the server reads a request's cookies like a second, simpler
    /// reader.
    package static let cookies = FuzzTarget("cookies") { input in
        let fields = HeaderLines(String(decoding: input, as: UTF8.self)).only(.cookie)
        let request = try HTTPRequest(.get, "/", headers: fields)
        let pairs = pairs(in: fields)
        for name in ["session", "coordinate-login", "a", ""] {
            let first = pairs.first { $0.name == Array(name.utf8) }?.value
            let read = request.cookie(name).map { Array($0.utf8) }
            try require(read == first, "\(name) is \(read ?? []) instead of \(first ?? []) in \(fields)")
        }
    }

    /// The pairs of the first header with a name.
    private static func pairs(in fields: HTTPFields) -> [(name: [UInt8], value: [UInt8])] {
        (fields.bytes(of: .cookie).first ?? []).split(at: ";").compactMap { pair in
            let pair = pair.trimmed
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let value = Array(pair[(equals + 1)...])
            let isQuoted = value.count > 1 && value.first == 0x22 && value.last == 0x22
            return (Array(pair[..<equals]), isQuoted ? Array(value.dropFirst().dropLast()) : value)
        }
    }
}
