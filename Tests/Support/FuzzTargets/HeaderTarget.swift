internal import Coordinate
internal import CoordinateServer
internal import MicroHTTPD

extension FuzzTarget {
    private static let server = JotterServer { $0.origins = [shop] }
    private static let shop = "https://shop.example:8443"

    /// The headers of a request follow their grammars, byte by byte: types, preferences, keys of repeated requests,
    /// hosts and origins.
    package static let headers = FuzzTarget("headers") { input in
        let lines = HeaderLines(String(decoding: input, as: UTF8.self))
        try await server.withSession { session in
            try await checkAccept(lines.only(.accept), session)
            try await checkContentType(lines.first(.contentType), session)
            try await checkPreference(lines.only(.prefer), session)
            try await checkRetry(lines.first(.idempotencyKey), session)
        }
        try await checkSite(lines.first(.hostField) + lines.first(.origin))
    }

    // MARK: Types

    /// Checks that a journal has the most preferred type; among equals, the one that is named most precisely.
    private static func checkAccept(_ fields: HTTPFields, _ session: String) async throws {
        let answer = try await server.answer(.get, "/sessions/\(session)/events", JotterServer.host + fields)
        let type = answer.headers[.contentType] ?? ""
        let types = ["application/json", "application/x-ndjson", "text/event-stream"]
        let ranges = fields.bytes(of: .accept).flatMap { $0.split(at: ",") }.map { range in
            range.split(at: ";").map { $0.filter { ![0x20, 0x09, 0x22].contains($0) }.lowercased }
        }
        var best = (type: types[0], quality: 0.0, precision: -1)
        for type in types {
            let main = type.prefix { $0 != "/" } + "/*"
            for (precision, name) in [type, String(main), "*/*"].enumerated() {
                guard let range = ranges.first(where: { $0[0] == name }) else { continue }
                let quality = quality(of: range)
                if (quality, 2 - precision) > (best.quality, best.precision), quality > 0 {
                    best = (type, quality, 2 - precision)
                }
                break
            }
        }
        try require(type.hasPrefix(best.type), "\(fields) gets \(type) instead of \(best.type)")
    }

    private static func quality(of range: [String]) -> Double {
        guard let text = range.dropFirst().first(where: { $0.utf8.starts(with: "q=".utf8) })?.utf8.dropFirst(2) else {
            return 1
        }
        guard let quality = Double(Substring(text)) else { return 1 }
        return (0...1).contains(quality) ? quality : 0
    }

    /// Checks that only bodies declared as JSON in UTF-8 are accepted.
    private static func checkContentType(_ fields: HTTPFields, _ session: String) async throws {
        let answer = try await server.answer(
            .post, "/sessions/\(session)/events", JotterServer.host + fields, body: JotterServer.event)
        let parts = (fields.bytes(of: .contentType).first ?? []).split(at: ";").map { part in
            part.filter { ![0x20, 0x09, 0x22].contains($0) }.lowercased
        }
        let isFit =
            parts[0] == "application/json"
            && parts.dropFirst().allSatisfy { !$0.utf8.starts(with: "charset=".utf8) || $0 == "charset=utf-8" }
        try require(answer.status == (isFit ? 200 : 415), "\(fields) gets \(answer.status)")
    }

    // MARK: Preferences

    private static func checkPreference(_ fields: HTTPFields, _ session: String) async throws {
        let answer = try await server.answer(
            .post, "/sessions/\(session)/events", JotterServer.json + fields, body: JotterServer.event)
        try require(answer.status == 200, "\(fields) gets \(answer.status)")
        let wishes = fields.bytes(of: .prefer).flatMap { $0.split(at: ",") }.map { wish in
            wish.split(at: ";")[0].split(at: "=").map { $0.filter { ![0x20, 0x09, 0x22].contains($0) }.lowercased }
        }
        let isMinimal = wishes.first { $0.first == "return" }.map { $0 == ["return", "minimal"] } ?? false
        let isApplied = answer.headers[.preferenceApplied] != nil
        try require(isApplied == isMinimal, "\(fields) is applied: \(isApplied)")
    }

    /// Checks that a request is done once, however often it is sent with its key.
    private static func checkRetry(_ fields: HTTPFields, _ session: String) async throws {
        var key = fields.bytes(of: .idempotencyKey).first ?? Array("key".utf8)
        if key.count > 1, key.first == 0x22, key.last == 0x22 { key = Array(key.dropFirst().dropLast()) }
        let isFit = (1...255).contains(key.count) && key.allSatisfy { (0x21...0x7E).contains($0) }
        let version = try await server.version(of: session)
        let target = "/sessions/\(session)/events"
        let first = try await server.answer(.post, target, JotterServer.json + fields, body: JotterServer.event)
        try require(first.status == (isFit ? .ok : .badRequest), "\(fields) gets \(first.status)")
        guard isFit, !fields.isEmpty else { return }
        let again = try await server.answer(.post, target, JotterServer.json + fields, body: JotterServer.event)
        try require(
            again.status == 200 && again.body.bytes == first.body.bytes, "\(fields), sent again, gets another response")
        let versionNow = try await server.version(of: session)
        try require(versionNow == version + 1, "\(fields) is done \(versionNow - version) times")
    }

    // MARK: Hosts and origins

    /// Checks that a request for another host, or from the page of another origin that is not allowed, is refused.
    private static func checkSite(_ fields: HTTPFields) async throws {
        let answer = try await server.answer(.get, "/livez", fields)
        let host = fields.bytes(of: .hostField).first
        let authority = host.flatMap(SentAuthority.init)
        guard host == nil || ["localhost", "127.0.0.1", "[::1]"].contains(authority?.host) else {
            return try require(answer.problem == "unknown-host", "\(fields) gets \(answer.status)")
        }
        guard let origin = fields.bytes(of: .origin).first else {
            return try require(answer.status == 200, "\(fields) gets \(answer.status)")
        }
        let site = SentSite(origin)
        let isLetIn = site != nil && (site == SentSite(Array(shop.utf8)) || site?.isOwn(of: authority) == true)
        try require(
            isLetIn ? answer.status == 200 : answer.problem == "cross-origin",
            "\(fields) gets \(answer.status)")
    }
}

/// A host and its port (RFC 3986, section 3.2).
private struct SentAuthority {
    let host: String
    let port: Int?

    init?(_ bytes: [UInt8]) {
        let isAddress = bytes.first == UInt8(ascii: "[")
        let ending = isAddress ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: 0x3A)
        if isAddress, ending == nil { return nil }
        var name = bytes[..<(ending ?? bytes.count)]
        let rest = bytes[name.count...]
        let digits = rest.dropFirst()
        guard rest.isEmpty || rest.first == 0x3A, digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        let signs = Array((isAddress ? ".-_[]:" : ".-_").utf8)
        guard !name.isEmpty, name.allSatisfy({ $0.isLetterOrDigit || signs.contains($0) }) else { return nil }
        host = name.lowercased
        port = Int(String(decoding: digits, as: UTF8.self))
    }
}

/// The origin of a page (RFC 6454).
private struct SentSite: Equatable {
    private static let ports = ["http": 80, "https": 443]

    let scheme: String
    let host: String
    let port: Int?

    init?(_ bytes: [UInt8]) {
        guard let colon = bytes.firstIndex(of: 0x3A), colon > 0, bytes[colon...].starts(with: "://".utf8),
            let authority = SentAuthority(Array(bytes[(colon + 3)...]))
        else { return nil }
        scheme = bytes[..<colon].lowercased
        host = authority.host
        port = authority.port ?? Self.ports[scheme]
    }

    func isOwn(of authority: SentAuthority?) -> Bool {
        guard let authority, let standard = Self.ports[scheme] else { return false }
        return host == authority.host && port == authority.port ?? standard
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
