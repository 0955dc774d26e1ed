import CoordinateTesting
import RawClient
import Synchronization
import Testing

/// A check of answers against the description. It records which of the described answers were given.
final class DescriptionCheck: Sendable {
    let description: OpenAPIDescription
    private let notes = Mutex(Notes())

    private struct Notes {
        var answers: Set<String> = []
        var problems: Set<String> = []
    }

    init(_ description: OpenAPIDescription) {
        self.description = description
    }

    /// The types of the problems that were answered, such as `unknown-event`.
    var problems: Set<String> { notes.withLock { $0.problems } }

    /// The described answers that were not given.
    var unseen: [String] {
        let described = description.operations.flatMap { operation in
            let responses = description[operation]["responses"]?.object.filter { $0.key != "default" } ?? [:]
            return responses.flatMap { status, response in
                let types = description.resolved(response)["content"]?.object.keys.map { String($0) } ?? [""]
                return types.map { "\(operation) \(status) \($0)" }
            }
        }
        return Set(described).subtracting(notes.withLock { $0.answers }).sorted()
    }

    /// Sends a request, and records an issue for everything in the answer that is not described.
    @discardableResult
    func send(
        _ request: DescribedRequest, as client: SessionClient, status: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ServerAnswer {
        let answer = try await client.request(
            request.method, request.path, headers: request.headers, body: request.body)
        check(SentAnswer(answer), to: request, status: status, sourceLocation: sourceLocation)
        return answer
    }

    /// Sends a header without a body, whatever the header announces.
    @discardableResult
    func sendHead(
        of request: DescribedRequest, to url: String, host: String = "localhost", version: String = "1.1", status: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> SentAnswer {
        let answer = try RawClient.answer(of: url, to: head(of: request, host: host, version: version))
        let sent = SentAnswer(answer)
        check(sent, to: request, status: status, sourceLocation: sourceLocation)
        return sent
    }

    /// Sends a request with its body. Unlike a client, it follows no redirect.
    func sendWhole(
        _ request: DescribedRequest, to url: String, status: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let body = request.body ?? []
        let whole = request.with(headers: ["Content-Length": "\(body.count)"])
        let text = head(of: whole, host: "localhost", version: "1.1") + String(decoding: body, as: UTF8.self)
        let answer = try RawClient.answer(of: url, to: text)
        check(SentAnswer(answer), to: request, status: status, sourceLocation: sourceLocation)
    }

    /// Follows a stream as an HTTP/1.0 client, which gets it without chunks. Acts once the stream has begun, and reads
    /// it up to a text that must be its end.
    func follow(
        _ request: DescribedRequest, at url: String, until end: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws -> SentAnswer {
        let client = try RawClient(url: url)
        try client.send(head(of: request, host: "localhost", version: "1.0"))
        let answer = try client.answer(toHead: true)
        try await body()
        let sent = SentAnswer(answer, body: try client.receive(until: end))
        #expect(try client.everything().isEmpty, sourceLocation: sourceLocation)
        check(sent, to: request, status: 200, sourceLocation: sourceLocation)
        return sent
    }

    private func head(of request: DescribedRequest, host: String, version: String) -> String {
        let lines = request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        return "\(request.method) \(request.path) HTTP/\(version)\r\nHost: \(host)\r\n\(lines)\r\n"
    }

    private func check(
        _ answer: SentAnswer, to request: DescribedRequest, status: Int?, sourceLocation: SourceLocation
    ) {
        let operation = request.operation
        if let status { #expect(answer.status == status, "\(operation)", sourceLocation: sourceLocation) }
        var violations = description.violations(of: answer, to: request)
        if answer.status < 300, let body = request.body, !body.isEmpty {
            let type = request.headers["Content-Type"] ?? ""
            violations += description.violations(ofBody: body, type: type, to: operation)
        }
        #expect(
            violations.isEmpty, "\(operation) \(answer.status) \(String(decoding: answer.body, as: UTF8.self))",
            sourceLocation: sourceLocation)
        let problem = answer.problem?.type.split(separator: "/").last
        notes.withLock { notes in
            notes.answers.insert("\(operation) \(answer.status) \(answer.body.isEmpty ? "" : answer.contentType ?? "")")
            if let problem { notes.problems.insert(String(problem)) }
        }
    }
}
