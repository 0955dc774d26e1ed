internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The delegate that reads one live stream, on its own connection.
final class LiveStreamReader: NSObject, Sendable {
    private struct State {
        /// Whether the answer has not begun, or is not a stream.
        var isOpening = true
        /// The continuation of `open(_:_:)`; `nil` before the request is sent, and once the answer has begun.
        var beginning: CheckedContinuation<ServerAnswer, any Error>?
        var response: HTTPURLResponse?
        /// The body of an answer that is not a stream.
        var body: [UInt8] = []
        var parser: LiveStreamParser
        /// The reason why the client closed the stream.
        var reason: (any Error)?
    }

    private let state: Mutex<State>
    private let request: ClientRequest
    private let limits: SessionClient.Limits
    private let messages: AsyncStream<LiveStream.Message>.Continuation
    private let broken: BrokenStream

    private init(
        _ request: ClientRequest, _ limits: SessionClient.Limits,
        _ messages: AsyncStream<LiveStream.Message>.Continuation, _ broken: BrokenStream
    ) {
        state = Mutex(State(parser: LiveStreamParser(callSite: request.callSite)))
        self.request = request
        self.limits = limits
        self.messages = messages
        self.broken = broken
    }

    /// Opens a stream. Returns once the answer has begun.
    ///
    /// - Throws: ``UnexpectedAnswer`` if the answer is not a stream.
    static func open(_ request: ClientRequest, _ limits: SessionClient.Limits) async throws -> LiveStream {
        let (stream, messages) = AsyncStream<LiveStream.Message>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.unreadMessages))
        let broken = BrokenStream()
        let reader = LiveStreamReader(request, limits, messages, broken)
        // The server is never silent for that long.
        let urlRequest = try request.urlRequest(timeout: .seconds(60))
        let session = URLSession(configuration: .withoutCookies, delegate: reader, delegateQueue: nil)
        messages.onTermination = { _ in session.invalidateAndCancel() }
        let task = session.dataTask(with: urlRequest)
        let timer = Task {
            guard (try? await Task.sleep(for: limits.requestTime)) != nil else { return }
            reader.cancel(for: request.failure(.timedOut(after: limits.requestTime)), onlyIfOpening: true)
        }
        defer { timer.cancel() }
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader.begin(task, $0) }
        } onCancel: {
            reader.cancel(for: CancellationError(), onlyIfOpening: true)
        }
        return LiveStream(answer: answer, messages: stream, broken: broken)
    }

    /// Sends the request, unless it was cancelled.
    private func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<ServerAnswer, any Error>) {
        let reason = state.withLock { state in
            if state.reason == nil { state.beginning = continuation }
            return state.reason
        }
        guard let reason else { return task.resume() }
        continuation.resume(throwing: reason)
    }

    /// Disconnects from the server. Received messages can still be read.
    private func cancel(for reason: any Error, onlyIfOpening: Bool = false) {
        let (isOver, beginning) = state.withLock { state in
            guard state.isOpening || !onlyIfOpening, state.reason == nil else {
                return (false, CheckedContinuation<ServerAnswer, any Error>?.none)
            }
            state.reason = reason
            defer { state.beginning = nil }
            return (true, state.beginning)
        }
        guard isOver else { return }
        broken.failure.withLock { $0 = reason as? RequestFailure }
        beginning?.resume(throwing: reason)
        messages.finish()
    }
}

extension LiveStreamReader: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let (beginning, answer) = state.withLock { state in
            state.response = response as? HTTPURLResponse
            let answer = state.response.map { ServerAnswer($0, body: [], to: request) }
            guard answer?.status == 200, answer?.header("Content-Type") == "text/event-stream" else {
                return (CheckedContinuation<ServerAnswer, any Error>?.none, answer)
            }
            state.isOpening = false
            defer { state.beginning = nil }
            return (state.beginning, answer)
        }
        if let beginning, let answer { beginning.resume(returning: answer) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (received, size) = state.withLock { state in
            guard state.reason == nil else { return ([LiveStream.Message](), 0) }
            guard !state.isOpening else {
                state.body += data
                return ([LiveStream.Message](), state.body.count)
            }
            let messages = state.parser.append(data)
            return (messages, state.parser.incompleteBytes)
        }
        for message in received {
            guard message.data.utf8.count <= limits.answerSize else {
                return cancel(for: request.failure(.tooLarge(limit: limits.answerSize)))
            }
            if case .dropped = messages.yield(message) {
                return cancel(for: request.failure(.unread(limit: limits.unreadMessages)))
            }
        }
        if size > limits.answerSize { cancel(for: request.failure(.tooLarge(limit: limits.answerSize))) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let answer = state.withLock { state in
            state.response.map { ServerAnswer($0, body: state.body, to: request) }
        }
        if let error {
            cancel(for: request.failure(RequestFailure.Reason(error, after: .seconds(60))))
        } else if let answer {
            cancel(for: UnexpectedAnswer(answer: answer, expected: "a stream"), onlyIfOpening: true)
        } else {
            cancel(for: request.failure(.disconnected("no answer came")), onlyIfOpening: true)
        }
        messages.finish()
    }
}
