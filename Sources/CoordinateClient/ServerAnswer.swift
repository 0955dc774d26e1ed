internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A server's answer to a request.
///
/// ```swift
/// let answer = try await client.get("/route")
/// #expect(answer.status == 200)
/// #expect(answer.header("Content-Type") == "application/json")
/// #expect(try answer.json["screen"]["title"] == "Teams")
/// ```
public struct ServerAnswer: Sendable {
    public let status: Int
    /// The headers, by lower-case name.
    public let headers: [String: String]
    public let body: [UInt8]
    /// The call that sent the request.
    public let callSite: CallSite

    /// - Parameter headers: The headers, by lower-case name.
    package init(status: Int, headers: [String: String], body: [UInt8], callSite: CallSite) {
        self.status = status
        self.headers = headers
        self.body = body
        self.callSite = callSite
    }

    init(_ response: HTTPURLResponse, body: [UInt8], to request: ClientRequest) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        self.init(status: response.statusCode, headers: headers, body: body, callSite: request.callSite)
    }

    /// The value of a header; `nil` if it is missing. Names are compared without regard to case.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON.
    ///
    /// ```swift
    /// let tabs = try answer.json["navigation"]["tabs"].array
    /// ```
    public var json: JSON {
        get throws { try decode(JSON.self) }
    }

    /// The body as one of the documents of the API, or anything else that is `Decodable`.
    ///
    /// ```swift
    /// let problem = try answer.decode(Document.Problem.self)
    /// #expect(problem.type == "/problems/unknown-event")
    /// ```
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw UnexpectedAnswer(answer: self, expected: "\(type)")
        }
    }

    /// The body as a document, if the answer has the given status.
    ///
    /// ```swift
    /// let session = try await client.post("/sessions").decode(Document.Session.self, status: 201)
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` if the status is different.
    public func decode<Value: Decodable>(_ type: Value.Type, status: Int) throws -> Value {
        guard self.status == status else { throw UnexpectedAnswer(answer: self, expected: "\(status)") }
        return try decode(type)
    }
}

/// The error for an answer that is not the expected one. Its description contains the problem's type and detail, or else
/// the whole body.
public struct UnexpectedAnswer: ClientError {
    public let answer: ServerAnswer
    /// The expected status, or the name of the expected document.
    public let expected: String

    public init(answer: ServerAnswer, expected: String) {
        self.answer = answer
        self.expected = expected
    }

    public var callSite: CallSite { answer.callSite }

    /// The reason why the server refused the request; `nil` if the answer is not a problem document.
    public var problem: Document.Problem? { try? answer.decode(Document.Problem.self) }

    public var message: String {
        "Expected \(expected), but "
            + (problem.map { "the server refused the request: \($0.summary)" }
                ?? "the answer was \(answer.status): \(answer.text)")
    }
}
