/// A refusal of a request before it reaches a handler.
///
/// libmicrohttpd's parser is lax, and a proxy in front may read the same bytes in another way. An ambiguous request is
/// refused and its connection closed, so that no part of it is read as a second request.
public struct HTTPRefusal: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        case malformedMethod, malformedTarget, targetTooLong, headerTooLarge, malformedHeaderName, controlBytes
        case missingHost, duplicateHost, malformedHost
        case transferEncoding, malformedContentLength, conflictingContentLength
        case expectation
        case bodyTooLarge(limit: Int)
        case noMemory
    }

    public let reason: Reason

    public init(_ reason: Reason) {
        self.reason = reason
    }

    /// The status code of the response.
    public var status: HTTPResponse.Status {
        switch reason {
        case .transferEncoding: .lengthRequired
        case .bodyTooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .expectation: .expectationFailed
        case .noMemory: .serviceUnavailable
        default: .badRequest
        }
    }

    /// The advice to the client.
    public var detail: String {
        switch reason {
        case .malformedMethod:
            "The method must be one word of letters, digits and !#$%&'*+-.^_`|~ characters."
        case .malformedTarget:
            "The target must be a path that starts with /, in UTF-8, where % is followed by two hexadecimal digits other than 00."
        case .targetTooLong:
            "Send a target of at most \(TargetValidation.targetLimit) bytes, with at most \(TargetValidation.queryItemLimit) items in its query."
        case .headerTooLarge:
            "The header is larger than \(HeaderValidation.sizeLimit) bytes, or has too many fields or cookies. Delete cookies of this host that are not needed."
        case .malformedHeaderName:
            "A header name must be one word directly before its colon."
        case .controlBytes:
            "A request must have each header on one line, without control characters other than tab."
        case .missingHost:
            "Send the Host header."
        case .duplicateHost:
            "Send the Host header once."
        case .malformedHost:
            "The Host header must be a host name or address, and optionally a port."
        case .transferEncoding:
            "Send the body with Content-Length, or with the one Transfer-Encoding chunked in HTTP/1.1."
        case .malformedContentLength:
            "Content-Length must be a decimal number."
        case .conflictingContentLength:
            "Send Content-Length once."
        case .expectation:
            "The only expectation that can be met is 100-continue."
        case .bodyTooLarge(let limit):
            "The body must not be larger than \(limit) bytes."
        case .noMemory:
            "Memory limit reached. Retry in a few seconds."
        }
    }

    /// Whether the end of this request is certain, so that its body can be read before the answer.
    var isFramingKnown: Bool {
        switch reason {
        case .malformedTarget, .malformedMethod, .targetTooLong, .controlBytes, .missingHost, .duplicateHost,
            .malformedHost:
            true
        default: false
        }
    }
}
