internal import Glibc
public import HTTPTypes

@_exported public import struct HTTPTypes.HTTPField
@_exported public import struct HTTPTypes.HTTPFields

extension HTTPRequest {
    public typealias Method = HTTPTypes.HTTPRequest.Method
}

extension HTTPResponse {
    public typealias Status = HTTPTypes.HTTPResponse.Status
}

extension HTTPRequest.Method {
    /// Creates the method of a request line, which ends in NUL.
    init(_ word: UnsafePointer<CChar>) {
        // The most frequent ones need no check.
        self =
            if unsafe strcmp(word, "GET") == 0 {
                .get
            } else if unsafe strcmp(word, "POST") == 0 {
                .post
            } else {
                unsafe HTTPRequest.Method(rawValue: String(cString: word)) ?? .malformed
            }
    }

    /// What stands for a method that is not a word. Such a request is refused.
    private static let malformed = HTTPRequest.Method(rawValue: "MALFORMED")!
}

extension HTTPField.Name {
    public static let forwarded = HTTPField.Name("Forwarded")!
    /// HTTPTypes has `host` for the authority of a request in HTTP/2 only.
    public static let hostField = HTTPField.Name("Host")!
    public static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    public static let lastEventID = HTTPField.Name("Last-Event-ID")!
    public static let prefer = HTTPField.Name("Prefer")!
    public static let preferenceApplied = HTTPField.Name("Preference-Applied")!
    public static let rateLimit = HTTPField.Name("RateLimit")!
    public static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy")!
    public static let session = HTTPField.Name("Session")!
    public static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    public static let xForwardedHost = HTTPField.Name("X-Forwarded-Host")!
    public static let xForwardedProto = HTTPField.Name("X-Forwarded-Proto")!
    public static let xRealIP = HTTPField.Name("X-Real-IP")!

    /// Whether the field describes the framing. The server sets these fields itself.
    var isFraming: Bool {
        // Most names have another length, which is quicker to compare.
        switch canonicalName.utf8.count {
        case 10: canonicalName == "connection"
        case 14: canonicalName == "content-length"
        case 17: canonicalName == "transfer-encoding"
        default: false
        }
    }
}

extension HTTPFields {
    /// These fields, with those of the same names replaced.
    func replaced(by fields: HTTPFields) -> HTTPFields {
        isEmpty ? fields : HTTPFields(filter { !fields.contains($0.name) }) + fields
    }

    public static func + (first: HTTPFields, second: HTTPFields) -> HTTPFields {
        var all = first
        all.append(contentsOf: second)
        return all
    }
}
