internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The connections of one client to its server. Releasing it closes them.
final class Connection: Sendable {
    private let limits: SessionClient.Limits
    private let reader = AnswerReader()
    private let session: URLSession

    init(_ limits: SessionClient.Limits) {
        self.limits = limits
        let configuration = URLSessionConfiguration.ephemeral
        // A client keeps its own cookies.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Sends a request, and returns the whole answer.
    func answer(to request: ClientRequest) async throws -> ServerAnswer {
        // The system limits the time without data, not the whole answer.
        let (parts, timer) = try send(request, longestSilence: limits.requestTime)
        defer { timer.cancel() }
        return try await whole(try await beginning(of: parts, to: request), parts, to: request)
    }

    /// Opens a stream on a connection of its own. Returns once the answer has begun.
    ///
    /// - Throws: ``UnexpectedAnswer`` if the answer is not a stream.
    static func open(_ request: ClientRequest, _ limits: SessionClient.Limits) async throws -> LiveStream {
        let connection = Connection(limits)
        // The server is never silent for that long.
        let (parts, timer) = try connection.send(request, longestSilence: .seconds(60))
        defer { timer.cancel() }
        let answer = try await connection.beginning(of: parts, to: request)
        guard answer.status == 200, answer.header("Content-Type") == "text/event-stream" else {
            let whole = try await connection.whole(answer, parts, to: request)
            throw UnexpectedAnswer(answer: whole, expected: "a stream")
        }
        let pieces = parts.compactMap { part in
            withExtendedLifetime(connection) {}
            return part.body
        }
        return LiveStream(answer, pieces, of: request, limits)
    }

    /// Sends a request. Returns the parts of the answer, and the timer that ends them at the time limit.
    private func send(
        _ request: ClientRequest, longestSilence silence: Duration
    ) throws -> (AsyncThrowingStream<AnswerPart, any Error>, timer: Task<Void, Never>) {
        let task = session.dataTask(with: try request.urlRequest(timeout: silence))
        let (parts, continuation) = AsyncThrowingStream<AnswerPart, any Error>.makeStream()
        continuation.onTermination = { _ in task.cancel() }
        reader.read(task, into: continuation) { error in
            let isLate = (error as? URLError)?.code == .timedOut
            return request.failure(isLate ? .timedOut(after: silence) : .disconnected(error.localizedDescription))
        }
        task.resume()
        let timer = Task { [limits] in
            guard (try? await Task.sleep(for: limits.requestTime)) != nil else { return }
            continuation.finish(throwing: request.failure(.timedOut(after: limits.requestTime)))
        }
        return (parts, timer)
    }

    private func beginning(
        of parts: AsyncThrowingStream<AnswerPart, any Error>, to request: ClientRequest
    ) async throws -> ServerAnswer {
        for try await case .beginning(let response) in parts { return ServerAnswer(response, body: [], to: request) }
        try Task.checkCancellation()
        throw request.failure(.disconnected("no answer came"))
    }

    /// The answer with its body, of which no part was read.
    private func whole(
        _ answer: ServerAnswer, _ parts: AsyncThrowingStream<AnswerPart, any Error>, to request: ClientRequest
    ) async throws -> ServerAnswer {
        var body: [UInt8] = []
        for try await case .piece(let piece) in parts {
            guard body.count + piece.count <= limits.answerSize else {
                throw request.failure(.tooLarge(limit: limits.answerSize))
            }
            body += piece
        }
        try Task.checkCancellation()
        return ServerAnswer(status: answer.status, headers: answer.headers, body: body, callSite: answer.callSite)
    }
}

/// A part of an answer, as it arrives.
private enum AnswerPart: Sendable {
    case beginning(HTTPURLResponse)
    case piece([UInt8])

    /// The bytes of the body; `nil` for the beginning.
    var body: [UInt8]? {
        if case .piece(let bytes) = self { bytes } else { nil }
    }
}

/// The delegate that receives the answers of a connection.
private final class AnswerReader: NSObject, Sendable {
    private struct Exchange {
        let parts: AsyncThrowingStream<AnswerPart, any Error>.Continuation
        /// The error for the system's one.
        let failure: @Sendable (any Error) -> RequestFailure
    }

    /// The exchanges in progress, by task identifier.
    private let exchanges = Mutex<[Int: Exchange]>([:])

    /// Receives the answer to a task, which has not begun.
    func read(
        _ task: URLSessionTask, into parts: AsyncThrowingStream<AnswerPart, any Error>.Continuation,
        failure: @escaping @Sendable (any Error) -> RequestFailure
    ) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(parts: parts, failure: failure) }
    }
}

extension AnswerReader: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let exchange = exchanges.withLock { $0[dataTask.taskIdentifier] }
        if let response = response as? HTTPURLResponse { exchange?.parts.yield(.beginning(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exchange = exchanges.withLock { $0[dataTask.taskIdentifier] }
        exchange?.parts.yield(.piece(Array(data)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.parts.finish(throwing: error.map { exchange?.failure($0) ?? $0 })
    }
}
