internal import MicroHTTPD

extension FuzzTarget {
    /// A request's target is refused or read as its grammar defines; its path and query are read as written.
    package static let requestTargets = FuzzTarget("request-targets") { input in
        // No line of a header contains a NUL, and everything after it would be ignored.
        guard !input.contains(0) else { return }
        let text = String(decoding: input, as: UTF8.self)
        let path = path(ofTarget: text)
        try checkDecoding(text)
        let request: HTTPRequest
        do throws(HTTPRefusal) {
            request = try HTTPRequest(.get, text, headers: [.hostField: "localhost"])
        } catch {
            return try require(path == nil, "\(text.debugDescription) is refused: \(error.reason)")
        }
        guard let path else { throw Violation(description: "\(text.debugDescription) is not refused") }
        try checkParts(of: request, text, path)
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
}
