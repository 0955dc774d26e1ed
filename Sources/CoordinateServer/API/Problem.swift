internal import Coordinate
internal import MicroHTTPD

/// What went wrong, as clients read it: problem details (RFC 9457). Every error becomes HTTP here, and nowhere else.
struct Problem: Error {
    enum Kind: String {
        case malformedJSON = "malformed-json"
        case malformedRequest = "malformed-request"
        case unauthorized
        case notFound = "not-found"
        case sessionNotFound = "session-not-found"
        case methodNotAllowed = "method-not-allowed"
        case lengthRequired = "length-required"
        case bodyTooLarge = "body-too-large"
        case unsupportedMediaType = "unsupported-media-type"
        case expectationFailed = "expectation-failed"
        case unknownEvent = "unknown-event"
        case invalidPayload = "invalid-payload"
        case unknownCoordinator = "unknown-coordinator"
        case unknownPath = "unknown-path"
        case tooManyCoordinators = "too-many-coordinators"
        case tooManySessions = "too-many-sessions"
        case internalError = "internal-error"
        case draining
        case journalUnavailable = "journal-unavailable"
    }

    let kind: Kind
    /// What to do about it.
    let detail: String
    /// What more it carries.
    var fields: [PlainField] = []
    var headers: [(name: String, value: String)] = []

    init(_ kind: Kind, _ detail: String, fields: [PlainField] = [], headers: [(name: String, value: String)] = []) {
        self.kind = kind
        self.detail = detail
        self.fields = fields
        self.headers = headers
    }
}

extension Problem {
    static func malformedJSON(_ error: JSONSyntaxError) -> Problem {
        Problem(
            .malformedJSON,
            "The body is no JSON: expected \(error.expected) at line \(error.line), column \(error.column).",
            fields: [PlainField("line", .int(error.line)), PlainField("column", .int(error.column))])
    }

    static func malformedRequest(_ detail: String, pointer: String? = nil) -> Problem {
        Problem(.malformedRequest, detail, fields: pointer.map { [PlainField("pointer", .string($0))] } ?? [])
    }

    static func invalidPayload(pointer: String, _ detail: String) -> Problem {
        Problem(.invalidPayload, detail, fields: [PlainField("pointer", .string(pointer))])
    }

    static let unauthorized = Problem(
        .unauthorized, "Send the API key of this server as \"Authorization: Bearer KEY\".",
        headers: [("WWW-Authenticate", "Bearer")])

    static let notFound = Problem(
        .notFound, "There is nothing at this path. GET /catalog lists the app's events and paths, README the endpoints."
    )

    static let sessionNotFound = Problem(
        .sessionNotFound,
        """
        There is no such session: it was ended, has expired, or never was. Make a new one with POST /sessions, or leave \
        out the Session header and the session cookie.
        """)

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        let list = allowed.joined(separator: ", ")
        return Problem(.methodNotAllowed, "This path answers \(list).", headers: [("Allow", list)])
    }

    static let unsupportedMediaType = Problem(
        .unsupportedMediaType,
        "Bodies must be application/json. With curl, use --json '…', or add -H 'Content-Type: application/json' to -d.")

    static let internalError = Problem(
        .internalError, "The app failed on this request. Nothing was done; the session goes on as it was before.")

    static let draining = Problem(
        .draining, "The server is about to stop. Try again in a moment, or another server.",
        headers: [("Retry-After", "5")])
}

extension Problem {
    /// A session's error.
    ///
    /// - Parameter events: The names of all events the app has.
    init(_ error: SessionError, events: @autoclosure () -> [String]) {
        switch error {
        case .hasEnded:
            self = .sessionNotFound
        case .unknownEvent(let name):
            let known = events()
            let nearest = Self.nearest(to: name, among: known)
            self.init(
                .unknownEvent,
                nearest.map { "There is no such event. Did you mean \($0)?" }
                    ?? "There is no such event. GET /catalog lists them all with their payloads.",
                fields: [
                    PlainField("known", .array(known.map(PlainValue.string))),
                    PlainField("didYouMean", nearest.map(PlainValue.string) ?? .null),
                ])
        case .invalidPayload(let error):
            self = .invalidPayload(
                pointer: "/payload/\(Self.escape(error.field))",
                "The payload's field \"\(error.field)\" \(error.message).")
        case .unknownCoordinator(let known):
            self.init(
                .unknownCoordinator,
                "No started coordinator has this id. Leave out \"at\" for the visible leaf, or use one of the known ids.",
                fields: [
                    PlainField("pointer", .string("/at")), PlainField("known", .array(known.map(PlainValue.string))),
                ])
        case .unknownPath(let known):
            self.init(
                .unknownPath, "No path of the app is like this. The known patterns have their values in braces.",
                fields: [PlainField("known", .array(known.map { .string("/\($0)") }))])
        case .treeIsFull:
            self.init(
                .tooManyCoordinators,
                "The session has as many coordinators as one may have. Go back, or pop to the root.")
        case .appFailed:
            self = .internalError
        case .journal(.unavailable), .journal(.conflict):
            self.init(
                .journalUnavailable, "The journal cannot be reached. Nothing was done; try again in a moment.",
                headers: [("Retry-After", "1")])
        case .tooManySessions:
            self.init(
                .tooManySessions,
                "There are as many sessions as this server may hold. End one with DELETE /sessions/{id}, or wait.",
                headers: [("Retry-After", "60")])
        }
    }

    /// A request that was turned away before it was one.
    init(_ refusal: HTTPRefusal) {
        switch refusal.status {
        case 411: self.init(.lengthRequired, refusal.detail)
        case 413: self.init(.bodyTooLarge, refusal.detail)
        case 417: self.init(.expectationFailed, refusal.detail)
        default: self.init(.malformedRequest, refusal.detail)
        }
    }

    /// A name as one part of a JSON pointer (RFC 6901, section 3).
    private static func escape(_ name: String) -> String {
        name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }
}

extension Problem {
    var status: Int { kind.status }

    var response: HTTPResponse {
        var json = JSONWriter()
        json.object {
            $0.field("type", "/problems/\(kind.rawValue)")
            $0.field("title", kind.title)
            $0.field("status", status)
            $0.field("detail", detail)
            for field in fields {
                $0.key(field.name)
                $0.plain(field.value)
            }
        }
        return .json(json.bytes, status: status, type: "application/problem+json", headers: headers)
    }
}

extension Problem.Kind {
    var status: Int {
        switch self {
        case .malformedJSON, .malformedRequest: 400
        case .unauthorized: 401
        case .notFound, .sessionNotFound: 404
        case .methodNotAllowed: 405
        case .lengthRequired: 411
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .unknownEvent, .invalidPayload, .unknownCoordinator, .unknownPath, .tooManyCoordinators: 422
        case .tooManySessions: 429
        case .internalError: 500
        case .draining, .journalUnavailable: 503
        }
    }

    var title: String {
        switch self {
        case .malformedJSON: "Malformed JSON"
        case .malformedRequest: "Malformed request"
        case .unauthorized: "Unauthorized"
        case .notFound: "Not found"
        case .sessionNotFound: "Session not found"
        case .methodNotAllowed: "Method not allowed"
        case .lengthRequired: "Length required"
        case .bodyTooLarge: "Body too large"
        case .unsupportedMediaType: "Unsupported media type"
        case .expectationFailed: "Expectation failed"
        case .unknownEvent: "Unknown event"
        case .invalidPayload: "Invalid payload"
        case .unknownCoordinator: "Unknown coordinator"
        case .unknownPath: "Unknown path"
        case .tooManyCoordinators: "Too many coordinators"
        case .tooManySessions: "Too many sessions"
        case .internalError: "Internal error"
        case .draining: "Draining"
        case .journalUnavailable: "Journal unavailable"
        }
    }
}
