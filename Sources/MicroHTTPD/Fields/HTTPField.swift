/// A line of a message's head, with a name and a value (RFC 9110, section 5).
///
/// Both are checked when they are created, so that their content cannot split a response.
public struct HTTPField: Hashable, Sendable {
    public let name: Name
    public let value: Value

    public init(_ name: Name, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension HTTPField {
    /// A field's name: one word (RFC 9110, section 5.6.2). Names are compared without regard to case.
    ///
    /// ```swift
    /// let name: HTTPField.Name = "Retry-After"
    /// HTTPField.Name(rawValue: "Retry After")  // nil
    /// ```
    public struct Name: RawRepresentable, Sendable {
        public let rawValue: String

        /// Creates a name; `nil` if the text is not such a word.
        public init?(rawValue: String) {
            guard !rawValue.isEmpty, rawValue.utf8.allSatisfy(HTTPCharacters.isToken) else { return nil }
            self.rawValue = rawValue
        }

        /// Creates a name from a text that is known to be valid.
        init(known: String) {
            rawValue = known
        }

        /// Whether the field describes the framing. The server sets these fields itself.
        var isFraming: Bool {
            // Only names of these lengths are compared.
            [10, 14, 17].contains(rawValue.utf8.count)
                && ["content-length", "transfer-encoding", "connection"].contains(rawValue.lowercased())
        }
    }

    /// A field's value: a text without control characters.
    ///
    /// Literals and values composed by the program are checked with a precondition. Use `init(rawValue:)` for values
    /// from elsewhere.
    public struct Value: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// Creates a value; `nil` if the text has control characters.
        public init?(rawValue: String) {
            guard rawValue.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
            self.rawValue = rawValue
        }

        /// Creates a value from a text without control characters. A control character stops the program.
        public init(_ text: String) {
            guard let value = Value(rawValue: text) else {
                preconditionFailure("A header's value has control characters")
            }
            self = value
        }
    }
}

extension HTTPField.Name: Hashable {
    public static func == (one: HTTPField.Name, other: HTTPField.Name) -> Bool {
        one.rawValue == other.rawValue
            || one.rawValue.utf8.count == other.rawValue.utf8.count
                && one.rawValue.lowercased() == other.rawValue.lowercased()
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue.lowercased())
    }
}

extension HTTPField.Name: ExpressibleByStringLiteral {
    /// Creates a name from a literal. An invalid name stops the program.
    public init(stringLiteral text: String) {
        guard let name = HTTPField.Name(rawValue: text) else {
            preconditionFailure("\(text) is not a valid header name")
        }
        self = name
    }
}

extension HTTPField.Value: ExpressibleByStringInterpolation {
    /// Creates a value from a literal. A control character stops the program.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension HTTPField.Name {
    public static var accept: Self { Self(known: "Accept") }
    public static var acceptEncoding: Self { Self(known: "Accept-Encoding") }
    public static var allow: Self { Self(known: "Allow") }
    public static var authorization: Self { Self(known: "Authorization") }
    public static var cacheControl: Self { Self(known: "Cache-Control") }
    public static var contentEncoding: Self { Self(known: "Content-Encoding") }
    public static var contentType: Self { Self(known: "Content-Type") }
    public static var cookie: Self { Self(known: "Cookie") }
    public static var eTag: Self { Self(known: "ETag") }
    public static var expect: Self { Self(known: "Expect") }
    public static var forwarded: Self { Self(known: "Forwarded") }
    public static var host: Self { Self(known: "Host") }
    public static var idempotencyKey: Self { Self(known: "Idempotency-Key") }
    public static var ifMatch: Self { Self(known: "If-Match") }
    public static var ifNoneMatch: Self { Self(known: "If-None-Match") }
    public static var lastEventID: Self { Self(known: "Last-Event-ID") }
    public static var location: Self { Self(known: "Location") }
    public static var origin: Self { Self(known: "Origin") }
    public static var prefer: Self { Self(known: "Prefer") }
    public static var preferenceApplied: Self { Self(known: "Preference-Applied") }
    public static var rateLimit: Self { Self(known: "RateLimit") }
    public static var rateLimitPolicy: Self { Self(known: "RateLimit-Policy") }
    public static var retryAfter: Self { Self(known: "Retry-After") }
    public static var session: Self { Self(known: "Session") }
    public static var setCookie: Self { Self(known: "Set-Cookie") }
    public static var traceparent: Self { Self(known: "traceparent") }
    public static var vary: Self { Self(known: "Vary") }
    public static var xContentTypeOptions: Self { Self(known: "X-Content-Type-Options") }
}
