internal import Coordinate
internal import CoordinateServer
internal import JSON
internal import MicroHTTPD

extension FuzzTarget {
    private static let server = JotterServer()

    /// A request's target is refused or read as its grammar defines; its path and query are read as written. A path
    /// leads to the endpoint that is described for it and to no other, and a number in a query has its value.
    package static let requestTargets = FuzzTarget("request-targets") { input in
        // No line of a header contains a NUL, and everything after it would be ignored.
        guard !input.contains(0) else { return }
        let text = String(decoding: input, as: UTF8.self)
        let path = path(ofTarget: text)
        try checkDecoding(text)
        let request: HTTPRequest
        do throws(HTTPRefusal) {
            request = try HTTPRequest(.get, text, headers: JotterServer.host)
        } catch {
            return try require(path == nil, "\(text.debugDescription) is refused: \(error.reason)")
        }
        guard let path else { throw Violation(description: "\(text.debugDescription) is not refused") }
        try checkParts(of: request, text, path)
        guard text.utf8.first == UInt8(ascii: "/") else { return }
        let answer = try await server.answer(.trace, text)
        try require(
            answer.status == (isDescribed(path) ? .methodNotAllowed : .notFound),
            "\(text.debugDescription) gets \(answer.status)")
        let query = Array(text.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        try await server.withSession(events: 2) { try await checkPage(query, of: $0) }
    }

    /// The path in a target, as defined by RFC 9112, section 3.2; `nil` if it must be refused.
    static func path(ofTarget text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        let isPrintable = bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }
        let halves = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        // Escapes may stand for any bytes except NUL.
        let areEscapesWhole = halves.allSatisfy { $0.unescapedBytes().map { !$0.contains(0) } ?? false }
        let items = halves.count == 2 ? halves[1].count { $0 == UInt8(ascii: "&") } + 1 : 0
        guard isPrintable, areEscapesWhole, bytes.count <= 8192, items <= 256 else { return nil }
        let path = Array(halves[0])
        if path.first == UInt8(ascii: "/") { return path }
        if path == Array("*".utf8) { return halves.count == 1 ? path : nil }
        guard path.count > 7, path.prefix(7).lowercased == "http://", path[7] != UInt8(ascii: "/") else { return nil }
        return Array(path[7...].drop { $0 != UInt8(ascii: "/") })
    }

    private static func checkParts(of request: borrowing HTTPRequest, _ text: String, _ path: [UInt8]) throws {
        let read = request.withPath { span in span.indices.map { span[$0] } }
        try require(read == path, "the path of \(text.debugDescription) is \(request.path)")
        let query = text.utf8.firstIndex(of: UInt8(ascii: "?")).map { Array(text.utf8[$0...].dropFirst()) }
        try require(request.query.map { Array($0.utf8) } == query, "the query of \(text.debugDescription)")
        let wanted = items(of: query ?? [])
        let items = request.queryItems
        try require(
            items.elementsEqual(wanted) {
                $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
            },
            "the items of \(text.debugDescription) are \(items) instead of \(wanted)")
    }

    private static func items(of query: [UInt8]) -> [(name: String, value: String)] {
        query.split(at: "&").filter { !$0.isEmpty }.map { item in
            let sides = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0.unescapedBytes(plusIsSpace: true) ?? [], as: UTF8.self) }
            return (sides[0], sides.count == 2 ? sides[1] : "")
        }
    }

    /// Checks that a text is decoded byte by byte, and that an escaped text decodes to the original.
    private static func checkDecoding(_ text: String) throws {
        let wanted = text.utf8.unescaped().flatMap { $0.utf8.contains(0) ? nil : $0 }
        let decoded = HTTPRequest.decodePercent(text)
        try require(decoded.map { Array($0.utf8) } == wanted.map { Array($0.utf8) }, "\(text.debugDescription) decoded")
        let escaped = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        guard let again = HTTPRequest.decodePercent(escaped) else { throw Violation(description: "\(escaped) decoded") }
        try requireSame(again, text, "escaped and decoded")
    }

    // MARK: The API

    /// The paths of the API's description.
    private static let described = [
        "/route", "/events", "/sessions", "/sessions/*", "/sessions/*/route", "/sessions/*/events",
        "/sessions/*/changes",
        "/sessions/*/forks", "/catalog", "/map", "/metrics", "/login", "/logout", "/livez", "/readyz",
    ].map { $0.utf8.split(at: "/") }

    private static func isDescribed(_ path: [UInt8]) -> Bool {
        let parts = path.split(at: "/")
        return described.contains { pattern in
            pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0 == Array("*".utf8) || $0 == $1 }
        }
    }

    /// Checks that a page of a session with two events has the size in the query, or that the query is refused.
    private static func checkPage(_ query: [UInt8], of session: String) async throws {
        let target = "/sessions/\(session)/events?" + String(decoding: query, as: UTF8.self)
        let answer = try await server.answer(.get, target)
        let items = items(of: query)
        let areAlike = items.indices.contains { index in items[..<index].contains { $0.name == items[index].name } }
        let after = number(items.first { $0.name == "after" }?.value ?? "0", in: 0...Int.max)
        let limit = number(items.first { $0.name == "limit" }?.value ?? "100", in: 1...1_000)
        guard !areAlike, let after, let limit else {
            return try require(answer.status == 400, "\(target) gets \(answer.status)")
        }
        guard case .array(let events)? = try JSONParser.parse(answer.body.bytes)[field: "events"] else {
            throw Violation(description: "\(target) gets \(answer.status)")
        }
        try require(events.count == min(limit, max(0, 2 - after)), "\(target) has \(events.count) events")
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
        return range.contains(number) ? number : nil
    }
}
