import Loopback

/// Announces a body from a page of another site.
struct ForeignExpect: Check {
    static let name = "foreign-expect"
    static let summary = "POST /events with a foreign Origin and Expect: 100-continue"
    static let settings: [String: String] = [:]

    static func failure(of target: Target) throws -> String? {
        let client = try target.connect()
        let whole = HTTPText.post(
            "/events", RacingSession.favorite(true),
            headers: ["Origin: https://evil.example", "Expect: 100-continue"])
        guard let end = whole.firstRange(of: "\r\n\r\n") else { return nil }
        try client.write(String(whole[..<end.upperBound]))
        guard let bytes = try client.receive(within: .seconds(5)) else { return "no answer" }
        let line = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\r\n" }
        return line.hasPrefix("HTTP/1.1 403") ? nil : "\"\(line)\", not a refusal"
    }
}
