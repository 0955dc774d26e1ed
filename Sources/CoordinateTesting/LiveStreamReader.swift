internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The delegate that reads one live stream, on a connection of its own.
final class LiveStreamReader: NSObject, Sendable {
    private struct State {
        /// The continuation of `open(_:)`; nil once the answer has begun.
        var beginning: CheckedContinuation<TestAnswer, any Error>?
        var response: HTTPURLResponse?
        /// The body of an answer that is no stream.
        var body: [UInt8] = []
        var parser = LiveStreamParser()
    }

    private let state: Mutex<State>
    private let messages: AsyncStream<LiveStream.Message>.Continuation

    private init(
        _ beginning: CheckedContinuation<TestAnswer, any Error>,
        _ messages: AsyncStream<LiveStream.Message>.Continuation
    ) {
        state = Mutex(State(beginning: beginning))
        self.messages = messages
    }

    /// Opens a stream, and returns once the answer has begun.
    ///
    /// - Throws: ``UnexpectedAnswer`` where the answer is no stream.
    static func open(_ request: URLRequest) async throws -> LiveStream {
        let (stream, messages) = AsyncStream<LiveStream.Message>.makeStream()
        let answer = try await withCheckedThrowingContinuation { continuation in
            let session = URLSession(
                configuration: .withoutCookies, delegate: LiveStreamReader(continuation, messages), delegateQueue: nil)
            messages.onTermination = { _ in session.invalidateAndCancel() }
            session.dataTask(with: request).resume()
        }
        return LiveStream(answer: answer, messages: stream)
    }
}

extension LiveStreamReader: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let (beginning, answer) = state.withLock { state in
            state.response = response as? HTTPURLResponse
            let answer = state.response.map { TestAnswer($0, body: []) }
            guard answer?.status == 200, answer?.header("Content-Type") == "text/event-stream" else {
                return (CheckedContinuation<TestAnswer, any Error>?.none, answer)
            }
            defer { state.beginning = nil }
            return (state.beginning, answer)
        }
        if let beginning, let answer { beginning.resume(returning: answer) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let received = state.withLock { state in
            guard state.beginning == nil else {
                state.body += data
                return [LiveStream.Message]()
            }
            return state.parser.take(data)
        }
        for message in received { messages.yield(message) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (beginning, answer) = state.withLock { state in
            defer { state.beginning = nil }
            return (state.beginning, state.response.map { TestAnswer($0, body: state.body) })
        }
        if let answer {
            beginning?.resume(throwing: UnexpectedAnswer(answer: answer, expected: "a stream"))
        } else {
            beginning?.resume(throwing: error ?? URLError(.badServerResponse))
        }
        messages.finish()
    }
}

extension URLSessionConfiguration {
    /// A configuration that keeps nothing between requests: a client keeps its own cookies.
    static var withoutCookies: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return configuration
    }
}
