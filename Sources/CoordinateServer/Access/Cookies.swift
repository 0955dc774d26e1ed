package import CoordinateSessions
package import MicroHTTPD

/// The names of a server's cookies.
///
/// Browsers send cookies to all ports of a host. So a name ends with the port that the request names, and the servers of
/// one host keep their cookies apart.
struct CookieNames: Sendable {
    /// The name of the session's cookie, without the port.
    let session: String
    private let login: String

    /// - Parameter name: The name that replaces `session` and the first part of the others; empty for the defaults.
    init(_ name: String) throws(UnfitSetting) {
        guard name.utf8.count <= 64, name.utf8.allSatisfy(Self.mayBeInName) else {
            throw UnfitSetting(
                "The cookie name \"\(name)\" needs letters, digits, - and _ only, at most 64",
                key: "security.cookieName", variable: "COORDINATE_COOKIE_NAME")
        }
        session = name.isEmpty ? "session" : name
        login = name.isEmpty ? "coordinate-login" : name + "-login"
    }

    /// The cookie that keeps a client in its session.
    func session(of request: borrowing HTTPRequest) -> String { session + Self.port(of: request) }

    /// The cookie that browsers send in place of the API key: a login, or a token for one session.
    func login(of request: borrowing HTTPRequest) -> String { login + Self.port(of: request) }

    /// The cookie with what the next page says once.
    func notice(of request: borrowing HTTPRequest) -> String { session + "-notice" + Self.port(of: request) }

    /// A hyphen and the port that a request names; empty if it names none.
    private static func port(of request: borrowing HTTPRequest) -> String {
        request.withAuthority { $0.portSuffix } ?? ""
    }

    private static func mayBeInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The cookies that a response sets.
package struct Cookies: Sendable {
    private let session: String
    private let login: String
    /// The name of the cookie with what the next page says once.
    package let notice: String
    /// Whether browsers send the cookies over TLS only, because the client's request came over TLS.
    private let isSecure: Bool

    init(_ names: CookieNames, for request: borrowing HTTPRequest, isSecure: Bool) {
        session = names.session(of: request)
        login = names.login(of: request)
        notice = names.notice(of: request)
        self.isSecure = isSecure
    }

    /// The response headers that introduce a session to its client.
    package func introduction(of session: Session) -> HTTPFields {
        [.setCookie: line(self.session, "\(session.id)"), .session: "\(session.id)"]
    }

    /// The header that sets the login; an empty token deletes it.
    package func login(_ token: String) -> HTTPFields {
        [.setCookie: line(login, token, lifetime: token.isEmpty ? 0 : AccessTokens.loginLifetime)]
    }

    /// The header fields that give a person's browser a token for one session. Browsers also send it with a link from
    /// another site, such as the one that led here; without it they would have no session.
    ///
    /// - Parameter lifetime: The seconds until the token expires.
    func token(_ token: String, lifetime: Int) -> HTTPFields {
        [.setCookie: line(login, token, lifetime: lifetime, sameSite: "Lax")]
    }

    /// The header with what the next page says once; `nil` deletes it.
    package func notice(_ notice: String?) -> HTTPFields {
        [.setCookie: line(self.notice, notice ?? "", lifetime: notice == nil ? 0 : 60)]
    }

    /// - Parameter lifetime: The seconds until the browser forgets the cookie; `nil` until it is closed.
    private func line(
        _ name: String, _ value: String, lifetime: Int? = nil, sameSite: String = "Strict"
    ) -> String {
        let age = lifetime.map { "; Max-Age=\($0)" } ?? ""
        return
            "\(name)=\(value); Path=/; HttpOnly; SameSite=\(sameSite)\(age)\(isSecure ? "; Secure" : "")"
    }
}

extension Span<UInt8> {
    /// A hyphen and the port at the end of an authority: `-8080`; empty if it has none.
    fileprivate var portSuffix: String {
        var start = count
        while start > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[start - 1]) { start -= 1 }
        guard start > 0, start < count, self[start - 1] == UInt8(ascii: ":") else { return "" }
        return "-" + String(decoding: (start..<count).map { self[$0] }, as: UTF8.self)
    }
}
