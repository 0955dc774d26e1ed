internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// A refusal as clients read it: problem details (RFC 9457). Every error is converted to HTTP here.
struct Problem: Error {
    enum Kind: String, CaseIterable {
        case malformedJSON = "malformed-json"
        case malformedRequest = "malformed-request"
        case unauthorized
        case tooManyAttempts = "too-many-attempts"
        case crossOrigin = "cross-origin"
        case unknownHost = "unknown-host"
        case listingRefused = "listing-refused"
        case notFound = "not-found"
        case sessionNotFound = "session-not-found"
        case methodNotAllowed = "method-not-allowed"
        case lengthRequired = "length-required"
        case bodyTooLarge = "body-too-large"
        case uriTooLong = "uri-too-long"
        case headerTooLarge = "header-too-large"
        case unsupportedMediaType = "unsupported-media-type"
        case versionNotFound = "version-not-found"
        case versionConflict = "version-conflict"
        case expectationFailed = "expectation-failed"
        case unknownEvent = "unknown-event"
        case invalidPayload = "invalid-payload"
        case unknownField = "unknown-field"
        case eventNotAllowed = "event-not-allowed"
        case invalidOptions = "invalid-options"
        case unknownCoordinator = "unknown-coordinator"
        case unknownPath = "unknown-path"
        case tooManyCoordinators = "too-many-coordinators"
        case tooManyEvents = "too-many-events"
        case invalidJournal = "invalid-journal"
        case idempotencyMismatch = "idempotency-mismatch"
        case appChanged = "app-changed"
        case tooManySessions = "too-many-sessions"
        case internalError = "internal-error"
        case draining
        case tooBusy = "too-busy"
        case journalUnavailable = "journal-unavailable"
        case memoryFull = "memory-full"
        case outcomeUnknown = "outcome-unknown"
        case damaged
    }

    let kind: Kind
    /// The advice to the client.
    let detail: String
    /// The further fields of the document.
    var fields: [PlainField] = []
    var headers: HTTPFields = [:]

    init(_ kind: Kind, _ detail: String, fields: [PlainField] = [], headers: HTTPFields = [:]) {
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
            "The body is not valid JSON: expected \(error.expected) at line \(error.line), column \(error.column).",
            fields: [PlainField("line", .int(error.line)), PlainField("column", .int(error.column))])
    }

    static func malformedRequest(_ detail: String, pointer: String? = nil) -> Problem {
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
    static func unknownField(
        at path: [String], nearest: String?, otherwise advice: String = "Leave it out."
    ) -> Problem {
        Problem(
            .unknownField,
            "There is no field \"\(path.joined(separator: "/"))\". \(nearest.map { "Did you mean \($0)?" } ?? advice)",
            fields: [PlainField("pointer", .string(JSONPointer(path).description)), didYouMean(nearest)])
    }

    private static func didYouMean(_ nearest: String?) -> PlainField {
        PlainField("didYouMean", nearest.map(PlainValue.string) ?? .null)
    }

    static let unauthorized = Problem(
        .unauthorized,
        """
        Send the API key of this server as "Authorization: Bearer KEY", or the cookie that POST /login gives for \
        {"key": "KEY"}.
        """,
        headers: ["WWW-Authenticate": "Bearer"])

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

    static let beginsElsewhere = Problem(
        .crossOrigin,
        "Cross-site requests cannot create sessions. Begin at / or with POST /sessions, or name a session.")

    static let foreignForm = Problem(
        .crossOrigin, "Forms are accepted from this server's own pages only. Open the app at /app, and use it there.")

    static let notAForm = Problem(
        .unsupportedMediaType, "Forms must be application/x-www-form-urlencoded in UTF-8, as browsers send them.")

    /// - Parameter reason: A sentence on why the request may not be the operator's.
    static func listingRefused(_ reason: String) -> Problem {
        Problem(
            .listingRefused,
            """
            A session's id gives control over it, so only the server's operator may list them. \(reason) Start the \
            server with an API key, and send it as "Authorization: Bearer KEY"; or start it without a key on 127.0.0.1 \
            only, and send the request from that machine without a proxy.
            """)
    }

    static let notFound = Problem(
        .notFound,
        "There is nothing at this path. GET /openapi.json describes the API, GET /catalog the app's events and paths.")

    static let pageMissing = Problem(
        .notFound,
        """
        The page and the API's description are missing: their folder was not installed beside the server's program. \
        The server's log names the folder. The rest of the API works.
        """)

    static let sessionNotFound = Problem(SessionError.hasEnded)

    static let tooManyConnections = Problem(
        .tooBusy, "Connection limit reached. Retry in a few seconds.",
        headers: [.retryAfter: "1"])

    static let draining = Problem(SessionError.draining)

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        let list = allowed.joined(separator: ", ")
        return Problem(.methodNotAllowed, "This path answers \(list).", headers: [.allow: HTTPField.Value(list)])
    }

    static let unsupportedMediaType = Problem(
        .unsupportedMediaType,
        """
        Bodies must be application/json in UTF-8; a journal for POST /sessions is application/x-ndjson. With curl, use \
        --json '…', or add -H 'Content-Type: application/json' to -d.
        """)

    static let internalError = Problem(
        .internalError, "The app failed on this request. Nothing was changed; the session can still be used.")
}

extension Problem {
    /// A session's error.
    init(_ error: SessionError) {
        switch error {
        case .hasEnded:
            self.init(
                .sessionNotFound,
                """
                \(error.description) Create one with POST /sessions, or leave out the Session header and the \
                session cookie.
                """)
        case .unknownEvent(let known, let nearest):
            self.init(
                .unknownEvent,
                nearest == nil
                    ? "\(error.description) GET /catalog lists them all with their payloads." : error.description,
                fields: [PlainField("known", .array(known.map(PlainValue.string))), Self.didYouMean(nearest)])
        case .invalidPayload(let decoding):
            self = .invalidPayload(
                pointer: JSONPointer(["payload"] + decoding.path).description, error.description, decoding.nearest)
        case .eventNotAllowed:
            self.init(
                .eventNotAllowed, error.description,
                fields: [PlainField("pointer", .string("/event")), Self.didYouMean(nil)])
        case .workNotWithheld:
            self = .unknownField(at: ["pending"], nearest: nil, otherwise: "\(error.description) Leave the field out.")
        case .notPending:
            self = .invalidPayload(pointer: "/pending", error.description)
        case .noOutcome(_, _, let nearest):
            self.init(
                .eventNotAllowed, error.description,
                fields: [PlainField("pointer", .string("/event")), Self.didYouMean(nearest)])
        case .notAtOwner(let coordinator):
            self.init(
                .unknownCoordinator, error.description,
                fields: [
                    PlainField("pointer", .string("/at")), PlainField("known", .array([.string(coordinator)])),
                ])
        case .invalidOptions(let option):
            self = .invalidOptions(
                pointer: JSONPointer(["options"] + option.path).description, error.description, option.nearest)
        case .unknownCoordinator(let known):
            self.init(
                .unknownCoordinator, error.description,
                fields: [
                    PlainField("pointer", .string("/at")), PlainField("known", .array(known.map(PlainValue.string))),
                ])
        case .unknownPath(let known, let link):
            self.init(
                .unknownPath, error.description,
                fields: [
                    PlainField("known", .array(known.map { .string("/\($0)") })), Self.didYouMean(link.nearest),
                ])
        case .treeIsFull:
            self.init(.tooManyCoordinators, error.description)
        case .historyIsFull:
            self.init(.tooManyEvents, error.description)
        case .tooMuchWork:
            self.init(.tooBusy, error.description, headers: [.retryAfter: "1"])
        case .appFailed, .workIsOver:
            self = .internalError
        case .journal(.outcomeUnknown), .cannotRetell:
            let isTaken = if case .cannotRetell = error { true } else { false }
            self.init(
                .outcomeUnknown, error.description, fields: [PlainField("taken", isTaken ? .bool(true) : .null)],
                headers: [.retryAfter: "1"])
        case .journal:
            self.init(.journalUnavailable, error.description, headers: [.retryAfter: "1"])
        case .tooManySessions:
            self.init(
                .tooManySessions,
                "Session limit reached. End one with DELETE /sessions/{id}, or wait.",
                headers: [.retryAfter: "60"])
        case .memoryIsFull:
            self.init(.memoryFull, error.description, headers: [.retryAfter: "10"])
        case .tooBusy, .givenUp:
            self.init(.tooBusy, error.description, headers: [.retryAfter: "1"])
        case .draining:
            self.init(.draining, error.description, headers: [.retryAfter: "5"])
        case .unknownVersion:
            self.init(.versionNotFound, error.description)
        case .versionConflict(let current):
            self.init(
                .versionConflict, "\(error.description) Read its route, and decide again with the new ETag.",
                fields: [PlainField("version", .int(current))])
        case .otherRequestRetried:
            self.init(
                .idempotencyMismatch,
                """
                Another request of this session had the same Idempotency-Key but a different body. Use a new key for a \
                new request.
                """)
        case .appChanged(let change):
            self.init(
                .appChanged, error.description,
                fields: [
                    PlainField("version", .int(change.version)), PlainField("recorded", Self.plain(change.recorded)),
                    PlainField("now", change.now.map(Self.plain) ?? .null), PlainField("crash", .null),
                ])
        case .crashed(let crash):
            self.init(
                .appChanged, error.description,
                fields: [
                    PlainField("version", .int(crash.version)), PlainField("recorded", .null), PlainField("now", .null),
                    PlainField(
                        "crash",
                        .object([PlainField("event", .string(crash.event)), PlainField("times", .int(crash.times))])),
                ])
        case .damaged(let version):
            self.init(.damaged, error.description, fields: [PlainField("version", .int(version))])
        case .invalidJournal(let line, _):
            self.init(.invalidJournal, error.description, fields: [PlainField("line", .int(line))])
        }
    }

    private static func plain(_ outcome: AppChange.Outcome) -> PlainValue {
        .object([
            PlainField("event", .string(outcome.event)), PlainField("handled", .bool(outcome.isHandled)),
            PlainField("handledBy", outcome.handledBy.map(PlainValue.string) ?? .null),
            PlainField("path", .string(outcome.path)),
        ])
    }

    /// A request refused by the parser.
    init(_ refusal: HTTPRefusal) {
        switch refusal.status {
        case 411: self.init(.lengthRequired, refusal.detail)
        case 413: self.init(.bodyTooLarge, refusal.detail)
        case 414: self.init(.uriTooLong, refusal.detail)
        case 431: self.init(.headerTooLarge, refusal.detail)
        case 417: self.init(.expectationFailed, refusal.detail)
        case 503: self.init(SessionError.memoryIsFull)
        default: self.init(.malformedRequest, refusal.detail)
        }
    }
}

extension Problem {
    static let mediaType = "application/problem+json"

    var status: Int { kind.status }

    var response: HTTPResponse {
        var json = DocumentWriter()
        json.problem(self)
        return .json(json.finish(), status: status, type: Self.mediaType, headers: headers)
    }
}

extension DocumentWriter {
    mutating func problem(_ problem: Problem) {
        object {
            $0.field("type", "/problems/\(problem.kind.rawValue)")
            $0.field("title", problem.kind.title)
            $0.field("status", problem.status)
            $0.field("detail", problem.detail)
            for field in problem.fields { $0.field(field) }
        }
    }
}

extension Problem.Kind {
    var status: Int {
        switch self {
        case .malformedJSON, .malformedRequest: 400
        case .unauthorized: 401
        case .crossOrigin, .listingRefused: 403
        case .notFound, .sessionNotFound, .versionNotFound: 404
        case .methodNotAllowed: 405
        case .appChanged, .damaged: 409
        case .lengthRequired: 411
        case .versionConflict: 412
        case .bodyTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .unknownHost: 421
        case .unknownEvent, .invalidPayload, .unknownField, .eventNotAllowed, .invalidOptions, .unknownCoordinator,
            .unknownPath, .tooManyCoordinators, .tooManyEvents, .invalidJournal, .idempotencyMismatch:
            422
        case .tooManyAttempts, .tooManySessions: 429
        case .headerTooLarge: 431
        case .internalError: 500
        case .draining, .journalUnavailable, .memoryFull, .tooBusy: 503
        case .outcomeUnknown: 504
        }
    }

    /// The name as a sentence: "URI too long" for `uri-too-long`.
    var title: String {
        let words = rawValue.split(separator: "-").map { ["json", "uri"].contains($0) ? $0.uppercased() : String($0) }
        let sentence = words.joined(separator: " ")
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }
}
