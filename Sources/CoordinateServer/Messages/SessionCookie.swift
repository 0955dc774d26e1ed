internal import CoordinateSessions
internal import MicroHTTPD

/// The cookie that keeps a client in the session created for it.
struct SessionCookie: Sendable {
    /// Whether browsers send the cookie over TLS only, because the client's request came over TLS.
    let isSecure: Bool

    /// The value of a header that deletes the cookie.
    static let removal: HTTPField.Value = "session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"

    /// The response headers that introduce a session to its client.
    func introduction(of session: Session) -> HTTPFields {
        let cookie = "session=\(session.id); Path=/; HttpOnly; SameSite=Strict"
        return [.setCookie: HTTPField.Value(isSecure ? cookie + "; Secure" : cookie), .session: "\(session.id)"]
    }
}
