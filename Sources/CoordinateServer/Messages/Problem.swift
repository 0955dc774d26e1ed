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

    package var status: HTTPResponse.Status { kind.status }

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
            $0.field("status", problem.status.code)
            $0.field("detail", problem.detail)
            for field in problem.fields { $0.field(field) }
        }
    }
}

extension Problem.Kind {
    package var status: HTTPResponse.Status {
        switch self {
        case .malformedJSON, .malformedRequest: .badRequest
        case .unauthorized: .unauthorized
        case .crossOrigin, .operatorOnly: .forbidden
        case .notFound, .sessionNotFound, .versionNotFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .appChanged, .damaged, .noAPIKey: .conflict
        case .lengthRequired: .lengthRequired
        case .versionConflict: .preconditionFailed
        case .bodyTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .expectationFailed: .expectationFailed
        case .unknownHost: .misdirectedRequest
        case .unknownEvent, .invalidPayload, .unknownField, .eventNotAllowed, .invalidOptions, .unknownCoordinator,
            .unknownPath, .tooManyCoordinators, .tooManyEvents, .invalidJournal, .idempotencyMismatch,
            .notOffered, .invalidAttributes:
            .unprocessableContent
        case .tooManyAttempts, .tooManySessions: .tooManyRequests
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .internalError: .internalServerError
        case .draining, .journalUnavailable, .memoryFull, .tooBusy: .serviceUnavailable
        case .outcomeUnknown: .gatewayTimeout
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
