internal import Coordinate
internal import CoordinateSessions
internal import JSON
package import MicroHTTPD

extension Problem {
    static func malformedJSON(_ error: JSONSyntaxError) -> Problem {
        Problem(
            .malformedJSON,
            "The body is not valid JSON: expected \(error.expected) at line \(error.line), column \(error.column).",
            fields: [PlainField("line", .int(error.line)), PlainField("column", .int(error.column))])
    }

    package static func malformedRequest(_ detail: String, pointer: String? = nil) -> Problem {
        Problem(.malformedRequest, detail, fields: pointer.map { [PlainField("pointer", .string($0))] } ?? [])
    }

    static func invalidPayload(pointer: String, _ detail: String, _ nearest: String? = nil) -> Problem {
        Problem(
            .invalidPayload, detail, fields: [PlainField("pointer", .string(pointer)), didYouMean(nearest)])
    }

    static func invalidOptions(pointer: String, _ detail: String, _ nearest: String? = nil) -> Problem {
        Problem(
            .invalidOptions, "\(detail) GET /catalog lists the options with their types and defaults.",
            fields: [PlainField("pointer", .string(pointer)), didYouMean(nearest)])
    }

    /// - Parameters:
    ///   - path: The names and indices that lead to the field.
    ///   - advice: A sentence for a field that does not resemble a known one.
    package static func unknownField(
        at path: [String], nearest: String?, otherwise advice: String = "Leave it out."
    ) -> Problem {
        Problem(
            .unknownField,
            "There is no field \"\(path.joined(separator: "/"))\". \(nearest.map { "Did you mean \($0)?" } ?? advice)",
            fields: [PlainField("pointer", .string(JSONPointer(path).description)), didYouMean(nearest)])
    }

    static let unauthorized = Problem(
        .unauthorized,
        """
        Send the API key of this server as "Authorization: Bearer KEY", or the cookie that POST /login gives for \
        {"key": "KEY"}.
        """,
        headers: [.wwwAuthenticate: "Bearer"])

    static let tokenExpired = Problem(
        .unauthorized, "The token has expired. Ask for a new one where you got it.",
        headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])

    static func tooManyAttempts(waitingFor seconds: Int) -> Problem {
        Problem(
            .tooManyAttempts,
            "Too many wrong keys from your address. Retry in \(seconds) seconds.",
            headers: [.retryAfter: "\(seconds)"])
    }

    static func unknownHost(_ host: String) -> Problem {
        Problem(
            .unknownHost,
            """
            This server does not answer to the host "\(host)", to protect itself from DNS rebinding. Use localhost or \
            127.0.0.1, or have its owner list the name in COORDINATE_HOSTS ("security.hosts").
            """)
    }

    static func foreign(_ origin: String) -> Problem {
        Problem(
            .crossOrigin,
            """
            This server refuses requests from pages of the origin "\(origin)". Its owner can list it in \
            COORDINATE_ORIGINS ("security.origins").
            """)
    }

    static let crossSiteSession = Problem(
        .crossOrigin,
        "Cross-site requests cannot create sessions. Begin at / or with POST /sessions, or name a session.")

    package static let foreignForm = Problem(
        .crossOrigin, "Forms are accepted from this server's own pages only. Open the app at /app, and use it there.")

    package static let longMarkRun = malformedRequest("No text may have more than 256 combining marks in a row.")

    /// - Parameters:
    ///   - reason: A sentence on why the request may not be the operator's.
    ///   - hasKey: Whether the server has a key. The answer then says that the client can send it (RFC 9110, section
    ///     11.6.1), and the inspector shows its login.
    static func operatorOnly(_ reason: String, hasKey: Bool = false) -> Problem {
        Problem(
            .operatorOnly,
            """
            Only the server's operator may do this. \(reason) Start the server with an API key, and send it as \
            "Authorization: Bearer KEY"; or start it without a key on 127.0.0.1 only, and send the request from that \
            machine without a proxy.
            """,
            headers: hasKey ? [.wwwAuthenticate: "Bearer"] : [:])
    }

    /// - Parameter names: The two parts of the request that name different sessions.
    static func ambiguousSession(_ names: String) -> Problem {
        malformedRequest("\(names) name different sessions. Send only one of them.")
    }

    static let noAPIKey = Problem(
        .noAPIKey,
        """
        Tokens are sealed with the server's API key, and this server has none. Start it with COORDINATE_API_KEY \
        ("security.apiKey").
        """)

    package static let notFound = Problem(
        .notFound,
        "There is nothing at this path. GET /openapi.json describes the API, GET /catalog the app's events and paths.")

    static let pageMissing = Problem(
        .notFound,
        """
        The page and the API's description are missing: their folder was not installed beside the server's program. \
        The server's log names the folder. The rest of the API works.
        """)

    package static let sessionNotFound = Problem(SessionError.hasEnded)

    static let tooManyConnections = Problem(
        .tooBusy, "Connection limit reached. Retry in a few seconds.",
        headers: [.retryAfter: "1"])

    package static let draining = Problem(SessionError.draining)

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        let list = allowed.joined(separator: ", ")
        return Problem(.methodNotAllowed, "This path accepts only \(list).", headers: [.allow: list])
    }

    package static let unsupportedMediaType = Problem(
        .unsupportedMediaType,
        """
        Bodies must be application/json in UTF-8; a journal for POST /sessions is application/x-ndjson. With curl, use \
        --json '…', or add -H 'Content-Type: application/json' to -d.
        """)

    static let unsupportedContentEncoding = Problem(
        .unsupportedMediaType, "Compressed bodies are not read. Send the body without Content-Encoding.")

    static let internalError = Problem(
        .internalError, "The app failed on this request. Nothing was changed; the session can still be used.")

    /// The server itself has failed, which should never happen.
    static let serverFailed = Problem(.internalError, "The server failed on this request. Please report it.")

    /// A request refused by the parser.
    package init(_ refusal: HTTPRefusal) {
        switch refusal.status {
        case .lengthRequired: self.init(.lengthRequired, refusal.detail)
        case .contentTooLarge: self.init(.bodyTooLarge, refusal.detail)
        case .uriTooLong: self.init(.uriTooLong, refusal.detail)
        case .requestHeaderFieldsTooLarge: self.init(.headerTooLarge, refusal.detail)
        case .expectationFailed: self.init(.expectationFailed, refusal.detail)
        case .serviceUnavailable: self.init(SessionError.memoryIsFull)
        default: self.init(.malformedRequest, refusal.detail)
        }
    }
}
