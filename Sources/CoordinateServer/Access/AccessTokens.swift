internal import CoordinateSessions
internal import Foundation
internal import MicroHTTPD

/// The tokens that clients send in place of the API key: those of the operator's browsers, and those for one session.
///
/// A token is sealed with the API key. Every server with the same key can read it, also after a restart, without storing
/// it. Clients cannot read it: it contains the id of a session.
struct AccessTokens: Sendable {
    /// What a token allows.
    enum Content: Equatable, Sendable {
        /// Everything, until a time in seconds since 1970.
        case login(end: Int)
        case session(SessionToken)

        /// The time at which it expires, in seconds since 1970.
        var end: Int {
            switch self {
            case .login(let end): end
            case .session(let token): token.end
            }
        }
    }

    /// The lifetime of a login, in seconds: one day.
    static let loginLifetime = 86_400

    private let seal: SealedText

    init(sealedWith key: [UInt8]) {
        // The secret is derived from the key, so that a text sealed for another purpose is not a valid token.
        seal = SealedText(key: HMAC.sha256(of: "coordinate access token 1".utf8, key: key))
    }

    /// The text of a token.
    func text(of content: Content) -> String {
        var bytes: [UInt8] = []
        func append<Number: FixedWidthInteger>(_ number: Number) {
            bytes += (1...Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 * $0)) }
        }
        append(Int64(content.end))
        if case .session(let token) = content {
            append(token.session.bits)
            append(token.reference.bits)
            bytes.append(token.scope == .read ? 1 : 0)
        }
        return Data(seal.seal(bytes)).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// What a token allows, even if it has expired; `nil` if it was not sealed with the key.
    func content(of text: String) -> Content? {
        // Anything longer is no token, and need not be decoded.
        guard text.utf8.count <= 128 else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: base64), let bytes = seal.open(Array(data)) else { return nil }
        func number<Number: FixedWidthInteger>(at index: Int) -> Number {
            bytes[index..<(index + Number.bitWidth / 8)].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }
        guard bytes.count == 41 else { return bytes.count == 8 ? .login(end: number(at: 0)) : nil }
        return .session(
            SessionToken(
                session: SessionID(bits: number(at: 8)), reference: SessionID(bits: number(at: 24)),
                scope: bytes[40] == 1 ? .read : .use, end: number(at: 0)))
    }
}

/// The right to use one session for a while, without the API key.
package struct SessionToken: Equatable, Sendable {
    enum Scope: String, CaseIterable, Sendable {
        /// Everything that a client may do with a session if `--clients` is `app`.
        case use
        /// Only to read what the session shows.
        case read
    }

    let session: SessionID
    /// The session's reference, which a client with the scope `read` gets in place of its id.
    let reference: SessionID
    let scope: Scope
    /// The time at which it expires, in seconds since 1970.
    let end: Int

    /// What its holder reads in place of a document: with the reference in place of the id if the holder may only read.
    /// The id could be used without the token.
    var redaction: Redaction? {
        scope == .read
            ? Redaction(hidden: Array(session.description.utf8), shown: Array(reference.description.utf8)) : nil
    }
}

/// A replacement of one text by another one of the same length.
struct Redaction: Sendable {
    fileprivate let hidden: [UInt8]
    fileprivate let shown: [UInt8]

    /// The same body with the replacement.
    func callAsFunction(_ body: HTTPBody) -> HTTPBody {
        var bytes = body.bytes
        var start = 0
        while let first = bytes[start...].firstIndex(of: hidden[0]) {
            let end = first + hidden.count
            guard end <= bytes.count else { break }
            if bytes[first..<end].elementsEqual(hidden) {
                bytes.replaceSubrange(first..<end, with: shown)
                start = end
            } else {
                start = first + 1
            }
        }
        return HTTPBody(bytes)
    }

    /// The same response with the replacement in its body. A stream stays the same.
    func callAsFunction(_ response: HTTPResponse) -> HTTPResponse {
        guard !response.isStream, response.body.count > 0 else { return response }
        return HTTPResponse(
            status: response.status, headers: response.headers, body: self(response.body),
            closesConnection: response.closesConnection)
    }
}
