import CoordinateTesting
import Foundation
import RawClient

extension OpenAPIDescription {
    /// The violations of an answer: undescribed parts, and missing parts that are required.
    func violations(of answer: SentAnswer, to request: DescribedRequest) -> [String] {
        let responses = self[request.operation]["responses"]
        guard let response = resolved(responses["\(answer.status)"] ?? responses["default"]) else {
            return ["its status is not described"]
        }
        return violations(ofHeadersOf: answer, response)
            + violations(ofContentOf: answer, response, isHead: request.method == "HEAD")
    }

    /// The violations of an accepted body.
    func violations(ofBody body: [UInt8], type: String, to operation: Operation) -> [String] {
        let content = resolved(self[operation]["requestBody"])["content"]
        guard let schema = content[type]["schema"] else { return ["a body of type \(type) is not described"] }
        return violations(of: body, type: type, schema)
    }

    // MARK: Headers

    /// Headers of HTTP itself or for browsers, which need no description.
    private static let selfEvident: Set = [
        "date", "connection", "content-length", "transfer-encoding", "content-type", "cache-control",
        "x-content-type-options", "vary", "content-security-policy", "referrer-policy",
    ]

    private func violations(ofHeadersOf answer: SentAnswer, _ response: JSON) -> [String] {
        let headers = response["headers"]?.object ?? [:]
        let undescribed = Set(answer.headers.keys).subtracting(Self.selfEvident)
            .subtracting(headers.keys.map { $0.lowercased() })
        return undescribed.map { "the header \($0) is not described" }
            + headers.flatMap { violations(of: answer.headers[$0.key.lowercased()], $0.key, resolved($0.value)) }
    }

    private func violations(of value: String?, _ name: String, _ header: JSON?) -> [String] {
        guard let value else { return header["required"] == true ? ["the header \(name) is missing"] : [] }
        guard let schema = header["schema"] else { return ["the header \(name) has no schema"] }
        let number = schema["type"] == "integer" ? Int(value).map(JSON.int) : nil
        return JSONSchema(schema: schema, root: root).violations(of: number ?? .string(value)).map { name + $0 }
    }

    // MARK: Content

    private func violations(ofContentOf answer: SentAnswer, _ response: JSON, isHead: Bool) -> [String] {
        guard let content = response["content"] else { return answer.body.isEmpty ? [] : ["there is a body"] }
        guard let type = answer.contentType, let schema = content[type]["schema"] else {
            return ["the type \(answer.contentType ?? "") is not described"]
        }
        if isHead { return answer.body.isEmpty ? [] : ["there is a body"] }
        let isTrue = answer.problem.map { $0.status == answer.status } ?? true
        return violations(of: answer.body, type: type, schema) + (isTrue ? [] : ["the problem tells another status"])
    }

    private func violations(of body: [UInt8], type: String, _ schema: JSON) -> [String] {
        do {
            let value: JSON =
                switch type {
                case "application/x-ndjson": .array(try body.split(separator: 0x0A).map { try JSON(bytes: $0) })
                case "text/event-stream": .array(try messages(in: body))
                case _ where type.hasSuffix("json"): try JSON(bytes: body)
                default: .string(String(decoding: body, as: UTF8.self))
                }
            return JSONSchema(schema: schema, root: root).violations(of: value)
        } catch {
            return ["the body is not valid JSON: \(error)"]
        }
    }
}

/// The messages of an ended stream, as the description has them, without comments.
private func messages(in stream: [UInt8]) throws -> [JSON] {
    let messages = String(decoding: stream, as: UTF8.self).split(separator: "\n\n").filter { !$0.hasPrefix(":") }
    return try messages.map { message in
        let fields = message.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).map { String($0) } }
        return .object(
            try Dictionary(uniqueKeysWithValues: fields.map { ($0[0], try JSON(field: $0[0], of: $0.last ?? "")) }))
    }
}

extension JSON {
    /// A message's event is a word. Everything else is JSON.
    fileprivate init(field name: String, of text: String) throws {
        self = name == "event" ? .string(text) : try JSON(bytes: text.utf8)
    }
}

/// An answer, from any kind of client.
struct SentAnswer {
    let status: Int
    /// The headers by lower-case name.
    let headers: [String: String]
    let body: [UInt8]

    init(_ answer: ServerAnswer) {
        status = answer.status
        headers = answer.headers
        body = answer.body
    }

    /// An answer that was received as text.
    init(_ answer: RawClient.Answer, body: String? = nil) {
        status = answer.status
        headers = answer.headers
        self.body = Array((body ?? answer.body).utf8)
    }

    var contentType: String? { headers["content-type"] }

    /// The problem document; `nil` if the answer is none.
    var problem: Document.Problem? {
        guard contentType == "application/problem+json" else { return nil }
        return try? JSONDecoder().decode(Document.Problem.self, from: Data(body))
    }
}

extension JSON {
    init(bytes: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }
}
