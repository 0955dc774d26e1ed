package import Coordinate
internal import CoordinateSessions
internal import JSON
package import MicroHTTPD

/// A refusal as clients read it: problem details (RFC 9457). Every error is converted to HTTP here.
package struct Problem: Error {
    package enum Kind: String, CaseIterable {
        case malformedJSON = "malformed-json"
        case malformedRequest = "malformed-request"
        case unauthorized
        case tooManyAttempts = "too-many-attempts"
        case crossOrigin = "cross-origin"
        case unknownHost = "unknown-host"
        case operatorOnly = "operator-only"
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
        case notOffered = "not-offered"
        case invalidAttributes = "invalid-attributes"
        case noAPIKey = "no-api-key"
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

    package let kind: Kind
    /// The advice to the client.
    package let detail: String
    /// The further fields of the document.
    package var fields: [PlainField] = []
    package var headers: HTTPFields = [:]

    package init(_ kind: Kind, _ detail: String, fields: [PlainField] = [], headers: HTTPFields = [:]) {
        self.kind = kind
        self.detail = detail
        self.fields = fields
        self.headers = headers
    }

    /// The field with the nearest known name; null if there is none.
    static func didYouMean(_ nearest: String?) -> PlainField {
        PlainField("didYouMean", nearest.map(PlainValue.string) ?? .null)
    }
}

extension Problem {
    package static let mediaType = "application/problem+json"

    package var status: Int { kind.status }

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
    package var status: Int {
        switch self {
        case .malformedJSON, .malformedRequest: 400
        case .unauthorized: 401
        case .crossOrigin, .operatorOnly: 403
        case .notFound, .sessionNotFound, .versionNotFound: 404
        case .methodNotAllowed: 405
        case .appChanged, .damaged, .noAPIKey: 409
        case .lengthRequired: 411
        case .versionConflict: 412
        case .bodyTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .unknownHost: 421
        case .unknownEvent, .invalidPayload, .unknownField, .eventNotAllowed, .invalidOptions, .unknownCoordinator,
            .unknownPath, .tooManyCoordinators, .tooManyEvents, .invalidJournal, .idempotencyMismatch,
            .notOffered, .invalidAttributes:
            422
        case .tooManyAttempts, .tooManySessions: 429
        case .headerTooLarge: 431
        case .internalError: 500
        case .draining, .journalUnavailable, .memoryFull, .tooBusy: 503
        case .outcomeUnknown: 504
        }
    }

    /// The name as a sentence: "URI too long" for `uri-too-long`.
    package var title: String {
        let words = rawValue.split(separator: "-").map {
            ["api", "json", "uri"].contains($0) ? $0.uppercased() : String($0)
        }
        let sentence = words.joined(separator: " ")
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }
}
