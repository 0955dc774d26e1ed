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
        session = URLSession(configuration: .withoutCookies, delegate: reader, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Sends a request, and returns the whole answer.
    func answer(to request: ClientRequest) async throws -> ServerAnswer {
        let task = session.dataTask(with: try request.urlRequest(timeout: limits.requestTime))
        reader.expectAnswer(to: task, limit: limits.answerSize)
        // The system limits the time without data, not the whole answer.
        let timer = Task { [reader, limits] in
            guard (try? await Task.sleep(for: limits.requestTime)) != nil else { return }
            reader.cancel(task, .timedOut(after: limits.requestTime))
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { reader.begin(task, $0) }
        } onCancel: {
            reader.cancel(task, .disconnected("the task was cancelled"))
        }
        switch result {
        case .success(let (response, body)):
            return ServerAnswer(response, body: body, to: request)
        case .failure(let failure):
            try Task.checkCancellation()
            throw request.failure(failure.reason(after: limits.requestTime))
        }
    }
}

/// The delegate that collects the answers of a connection.
private final class AnswerReader: NSObject, Sendable {
    enum Failure: Error {
        case known(RequestFailure.Reason)
        case system(any Error)

        func reason(after limit: Duration) -> RequestFailure.Reason {
            switch self {
            case .known(let reason): reason
            case .system(let error): RequestFailure.Reason(error, after: limit)
            }
        }
    }

    typealias Outcome = Result<(HTTPURLResponse, [UInt8]), Failure>

    private struct Exchange {
        let limit: Int
        var body: [UInt8] = []
        /// The continuation of the call; `nil` before the request is sent.
        var continuation: CheckedContinuation<Outcome, Never>?
        /// The outcome, if it arrived before the continuation.
        var outcome: Outcome?
    }

    /// The exchanges in progress, by task identifier.
    private let exchanges = Mutex<[Int: Exchange]>([:])

    func expectAnswer(to task: URLSessionTask, limit: Int) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(limit: limit) }
    }

    /// Sends the request, unless it was cancelled.
    func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = exchanges.withLock { exchanges -> Outcome? in
            exchanges[task.taskIdentifier]?.continuation = continuation
            guard let outcome = exchanges[task.taskIdentifier]?.outcome else { return nil }
            exchanges[task.taskIdentifier] = nil
            return outcome
        }
        guard let outcome else { return task.resume() }
        continuation.resume(returning: outcome)
    }

    func cancel(_ task: URLSessionTask, _ reason: RequestFailure.Reason) {
        finish(task) { _ in .failure(.known(reason)) }
        task.cancel()
    }

    /// Ends an exchange. The first outcome counts.
    private func finish(_ task: URLSessionTask, _ outcome: (_ body: [UInt8]) -> Outcome) {
        let index = task.taskIdentifier
        let ended = exchanges.withLock { exchanges -> (CheckedContinuation<Outcome, Never>, Outcome)? in
            guard let exchange = exchanges[index] else { return nil }
            let outcome = exchange.outcome ?? outcome(exchange.body)
            guard let continuation = exchange.continuation else {
                exchanges[index]?.outcome = outcome
                return nil
            }
            exchanges[index] = nil
            return (continuation, outcome)
        }
        if let (continuation, outcome) = ended { continuation.resume(returning: outcome) }
    }
}

extension AnswerReader: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let excess = exchanges.withLock { exchanges -> Int? in
            let index = dataTask.taskIdentifier
            guard let exchange = exchanges[index] else { return nil }
            guard exchange.body.count + data.count <= exchange.limit else { return exchange.limit }
            exchanges[index]?.body += data
            return nil
        }
        if let excess { cancel(dataTask, .tooLarge(limit: excess)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task) { body in
            if let error { return .failure(.system(error)) }
            guard let response = task.response as? HTTPURLResponse else {
                return .failure(.system(URLError(.badServerResponse)))
            }
            return .success((response, body))
        }
    }
}

extension RequestFailure.Reason {
    /// The system's reason why a request failed.
    init(_ error: any Error, after limit: Duration) {
        self =
            (error as? URLError)?.code == .timedOut
            ? .timedOut(after: limit) : .disconnected(error.localizedDescription)
    }
}

extension URLSessionConfiguration {
    /// A configuration that stores nothing between requests. A client keeps its own cookies.
    static var withoutCookies: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return configuration
    }
}
