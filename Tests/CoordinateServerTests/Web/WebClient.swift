import CoordinateTesting
import Foundation
import Testing

/// A browser without scripts, in memory: it sends the forms of pages, and follows redirects.
struct WebClient {
    let client: SessionClient

    /// A page, or another answer to a navigation.
    struct Page {
        let status: Int
        let headers: [String: String]
        let text: String
        /// The address after all redirects.
        let address: String

        /// The text of the page's one heading.
        var heading: String? { text.first(#/<h1[^>]*>([^<]*)</h1>/#) }

        /// The mark of the session that its forms carry.
        var mark: String { text.first(#/data-session="([^"]*)"/#) ?? "" }

        /// The sentence above the screen about what was not done.
        var notice: String? { text.first(#/<p class="notice" role="alert"[^>]*>([^<]*)</p>/#) }

        /// The sentence above the screen about what was done.
        var success: String? { text.first(#/<p class="success" role="status"[^>]*>([^<]*)</p>/#) }

        /// The attributes of the field with a name.
        func field(_ name: String) -> String? {
            text.matches(of: #/<(?:input|select|textarea)([^>]*)>/#).map { String($0.1) }
                .first { $0.contains("name=\"input.\(name)\"") }
        }
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Page {
        try await follow(client.get(path, headers: headers), from: path)
    }

    /// Follows the first link with a title on a page; without one, presses the first button, with some entries in its
    /// form's fields.
    func press(_ title: String, on page: Page, _ entries: [String: String] = [:]) async throws -> Page {
        let link = page.text.matches(of: #/<a href="([^"]*)"[^>]*>(.*?)</a>/#).first {
            $0.2.contains(">\(title)</span>")
        }
        if let link { return try await get(String(link.1)) }
        return try await follow(client.request(form(title, on: page, entries)), from: "/app")
    }

    /// The request for the first button with a title.
    func form(_ title: String, on page: Page, _ entries: [String: String] = [:]) throws -> WebRequest {
        let form = try #require(
            page.text.matches(of: #/(?s)<form[^>]*>(.*?)</form>/#).map { String($0.1) }
                .first { $0.contains(">\(title)</button>") || $0.contains(">\(title)</span>") }, "no button \(title)")
        var values: [(String, String)] = []
        for field in form.matches(of: #/<input([^>]*)>/#).map({ String($0.1) }) {
            guard let name = field.first(#/name="([^"]*)"/#) else { continue }
            let isBox = field.contains("type=\"checkbox\"")
            if let entry = entries[String(name.dropFirst(6))], name.hasPrefix("input.") {
                if !isBox || entry == "true" { values.append((name, entry)) }
            } else if !isBox || field.contains("checked") {
                values.append((name, field.first(#/value="([^"]*)"/#) ?? ""))
            }
        }
        for (name, options) in form.matches(of: #/(?s)<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>/#).map({
            (String($0.1), String($0.2))
        }) {
            let chosen = options.first(#/value="([^"]*)" selected/#)
            if let value = entries[String(name.dropFirst(6))] ?? chosen { values.append((name, value)) }
        }
        for (name, text) in form.matches(of: #/(?s)<textarea[^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>/#).map({
            (String($0.1), String($0.2))
        }) {
            // Browsers send line breaks as two characters.
            let sent = (entries[String(name.dropFirst(6))] ?? text.unescaped).replacing("\n", with: "\r\n")
            values.append((name, sent))
        }
        return WebRequest(values.map { ($0, $1.unescaped) })
    }

    private func follow(_ answer: ServerAnswer, from path: String) async throws -> Page {
        var (answer, path) = (answer, path)
        while answer.status == 303, let location = answer.header("Location") {
            path = location
            answer = try await client.get(path)
        }
        return Page(status: answer.status, headers: answer.headers, text: answer.text, address: path)
    }
}

/// The browser in which the running test's client is.
var browser: WebClient { WebClient(client: client) }

/// A form as a browser sends it.
struct WebRequest {
    let body: String

    init(body: String) {
        self.body = body
    }

    init(_ values: [(String, String)]) {
        body = values.map { "\($0.encoded)=\($1.encoded)" }.joined(separator: "&")
    }
}

extension SessionClient {
    func request(_ form: WebRequest, to path: String = "/app", headers: [String: String] = [:]) async throws
        -> ServerAnswer
    {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await request("POST", path, headers: type.merging(headers) { $1 }, body: Array(form.body.utf8))
    }
}

extension String {
    /// The text of the first group of a pattern's first match.
    func first(_ pattern: Regex<(Substring, Substring)>) -> String? {
        firstMatch(of: pattern).map { String($0.1).unescaped }
    }

    /// The text with each byte percent-encoded.
    var encoded: String {
        utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    fileprivate var unescaped: String {
        replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
