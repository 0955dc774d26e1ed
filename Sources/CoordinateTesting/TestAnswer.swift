internal import Foundation
internal import MicroHTTPD

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
public struct TestAnswer: Sendable {
    public let status: Int
    /// The headers, by lower-case name.
    public let headers: [String: String]
    public let body: [UInt8]

    init(_ response: HTTPURLResponse, body: [UInt8]) {
        status = response.statusCode
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        self.headers = headers
        self.body = body
    }

    init(_ response: HTTPResponse, toHead isToHead: Bool) {
        status = response.status
        var headers = ["content-length": "\(response.body.count)"]
        for field in response.headers { headers[field.name.rawValue.lowercased()] = field.value.rawValue }
        self.headers = headers
        body = isToHead ? [] : response.body.bytes
    }

    /// The value of a header; case does not matter in its name.
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

    /// The body as one of the contract's documents, or anything else that is `Decodable`.
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

    /// The body as a document, where the answer has this status.
    func decode<Value: Decodable>(_ type: Value.Type, status: Int) throws -> Value {
        guard self.status == status else { throw UnexpectedAnswer(answer: self, expected: "\(status)") }
        return try decode(type)
    }
}

/// An answer with which a test could not go on. Its description contains the whole body, and so the problem's detail.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    public let answer: TestAnswer
    /// The expected status, or the name of the expected document.
    public let expected: String

    public var description: String {
        "expected \(expected), but the answer was \(answer.status): \(answer.text)"
    }
}
