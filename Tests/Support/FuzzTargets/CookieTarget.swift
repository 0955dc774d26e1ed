internal import Coordinate
internal import CoordinateServer
internal import JSON
internal import MicroHTTPD

extension FuzzTarget {
    private static let key = "correct horse"
    private static let server = JotterServer { $0.apiKey = key }

    /// A cookie is found byte by byte as in RFC 6265. Access needs the key or a token that was issued for it, and a
    /// session is the one that was named.
    ///
    /// In the input `$t` is a token, `$k` the key, `$1` and `$2` are sessions, `$9` is one that has ended.
    package static let cookies = FuzzTarget("cookies") { input in
        let names = try await Names()
        let lines = HeaderLines(names.filled(String(decoding: input, as: UTF8.self)))
        try checkCookies(lines.only(.cookie))
        let fields = lines.only(.cookie, .authorization, .session)
        // Repeated headers are refused before everything else.
        let isRepeated = [HTTPField.Name.cookie, .authorization, .session].contains { fields.bytes(of: $0).count > 1 }
        let answer = try await server.answer(.get, "/route", JotterServer.host + fields)
        let expected =
            isRepeated ? .badRequest : mayEnter(fields, names.token) ? names.status(of: fields) : .unauthorized
        try require(answer.status == expected, "\(fields) gets \(answer.status) instead of \(expected)")
        let new = answer.headers[.session].map { [$0] } ?? []
        for session in names.sessions + new { _ = try await server.answer(.delete, "/sessions/\(session)", keyed) }
        guard answer.status == 200, let wanted = names.named(by: fields) else { return }
        let session = try JSONParser.parse(answer.body.bytes)[field: "session"]?.string
        try require(session == wanted, "\(fields) leads to \(session ?? "none")")
    }

    fileprivate static let keyed = JotterServer.host + [.authorization: "Bearer \(key)"]

    /// Checks that the server reads the request's cookies like a second, simpler reader.
    private static func checkCookies(_ fields: HTTPFields) throws {
        let request = try HTTPRequest(.get, "/", headers: fields)
        let pairs = cookies(in: fields)
        for name in ["session", "coordinate-login", "a", ""] {
            let first = pairs.first { $0.name == Array(name.utf8) }?.value
            let read = request.cookie(name).map { Array($0.utf8) }
            try require(read == first, "\(name) is \(read ?? []) instead of \(first ?? []) in \(fields)")
        }
    }

    /// The pairs of the first header with a name.
    fileprivate static func cookies(in fields: HTTPFields) -> [(name: [UInt8], value: [UInt8])] {
        (fields.bytes(of: .cookie).first ?? []).split(at: ";").compactMap { pair in
            let pair = pair.trimmed
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let value = Array(pair[(equals + 1)...])
            let isQuoted = value.count > 1 && value.first == 0x22 && value.last == 0x22
            return (Array(pair[..<equals]), isQuoted ? Array(value.dropFirst().dropLast()) : value)
        }
    }

    private static func mayEnter(_ fields: HTTPFields, _ token: String) -> Bool {
        if let header = fields.bytes(of: .authorization).first {
            let words = header.drop { $0 == 0x20 }.split(separator: 0x20, maxSplits: 1)
            // Other schemes are ignored.
            if words.count == 2, words[0].lowercased == "bearer" {
                return words[1].drop { $0 == 0x20 }.elementsEqual(key.utf8)
            }
        }
        // Other programs on the host may have set cookies of this name.
        return cookies(in: fields).contains {
            $0.name == Array("coordinate-login".utf8) && $0.value == Array(token.utf8)
        }
    }

    /// The values that a request may name.
    private struct Names {
        let token: String
        let sessions: [String]
        private let ended: String

        init() async throws {
            let login = try await server.answer(
                .post, "/login", JotterServer.json, body: Array(#"{"key": "\#(key)"}"#.utf8))
            let cookie = login.headers[.setCookie] ?? ""
            token = String(cookie.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst())
            var sessions: [String] = []
            for _ in 0..<2 {
                let new = try await server.answer(.post, "/sessions", keyed)
                sessions.append(String(new.headers[.location]?.dropFirst("/sessions/".count) ?? ""))
            }
            self.sessions = sessions
            ended = String(sessions[0].dropLast(4) + (sessions[0].hasSuffix("AAAA") ? "BBBA" : "AAAA"))
        }

        func filled(_ text: String) -> String {
            text.replacing("$t", with: token).replacing("$k", with: key).replacing("$1", with: sessions[0])
                .replacing("$2", with: sessions[1]).replacing("$9", with: ended)
        }

        /// Returns the session that a header names, or else the cookies; `nil` if there is none.
        func named(by fields: HTTPFields) -> String? {
            let header = fields.bytes(of: .session).first
            return (header ?? candidates(fields).first).map { String(decoding: $0, as: UTF8.self) }
        }

        func status(of fields: HTTPFields) -> HTTPResponse.Status {
            let cookies = candidates(fields)
            if Set(cookies).count > 1 { return .badRequest }
            let header = fields.bytes(of: .session).first
            if let header, isCandidate(header), cookies.contains(where: { $0 != header }) { return .badRequest }
            guard let named = named(by: fields) else { return .ok }
            return sessions.contains { $0.utf8.elementsEqual(named.utf8) } ? .ok : .notFound
        }

        private func candidates(_ fields: HTTPFields) -> [[UInt8]] {
            cookies(in: fields).filter { $0.name == Array("session".utf8) }.map(\.value).filter(isCandidate)
        }

        /// Whether the value is 22 letters of base 64 for URLs (RFC 4648, section 5).
        private func isCandidate(_ value: [UInt8]) -> Bool {
            value.count == 22
                && value.allSatisfy { byte in
                    let character = Character(Unicode.Scalar(byte))
                    return character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
                }
        }
    }
}
