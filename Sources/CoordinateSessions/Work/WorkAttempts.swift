package import Coordinate
internal import Logging

/// The attempts at a piece of work, until one succeeds or none is left.
package struct WorkAttempts: Sendable {
    package let body: WorkBody
    package let key: String
    /// The number of the first attempt.
    package let first: Int
    private let name: String
    private let session: SessionContext
    /// The trace to which the work belongs.
    private let traceparent: String?
    private let app: HostedApp
    private let alarm: SessionClock.Alarm

    init(
        _ body: WorkBody, of asked: AskedWork, key: String, in session: SessionContext, first: Int, _ app: HostedApp,
        alarm: @escaping SessionClock.Alarm
    ) {
        self.body = body
        self.key = key
        self.session = session
        self.first = first
        name = asked.pending.name
        traceparent = asked.traceparent
        self.app = app
        self.alarm = alarm
    }

    /// The event that reports the outcome of the work; `nil` if the task was canceled.
    func run() async -> (any DeclaredEvents)? {
        var failures = 0
        while !Task.isCancelled, let result = await attempt(first + failures) {
            switch result {
            case .success(let event): return event
            case .failure(let failure):
                failures += 1
                guard !Task.isCancelled else { return nil }
                guard let length = body.retry.pause(after: failures) else { return body.failed(failure) }
                guard await pause(length) else { return nil }
            }
        }
        return nil
    }

    /// Waits before the next attempt.
    ///
    /// - Returns: Whether the task was not canceled meanwhile.
    private func pause(_ length: Duration) async -> Bool {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let stop = alarm(WorkDelay(kind: .retryPause, work: name, length: length)) { end.yield() }
        defer { stop() }
        return await ends.first { _ in true } != nil
    }

    /// Runs the work once. The caller does not wait for work that exceeds its time limit, or ignores its cancellation.
    ///
    /// - Returns: The result; `nil` if the task was canceled.
    private func attempt(_ number: Int) async -> Result<any DeclaredEvents, WorkFailure>? {
        let (results, result) = AsyncStream<Result<any DeclaredEvents, WorkFailure>>.makeStream()
        // Set before the work begins, so that a test whose fakes have seen the work begin can let its time pass.
        let stop = alarm(WorkDelay(kind: .timeLimit, work: name, length: body.timeLimit)) {
            result.yield(.failure(.timedOut))
        }
        defer { stop() }
        let work = Task {
            do {
                result.yield(.success(try await run(number)))
            } catch {
                if !Task.isCancelled { result.yield(.failure(explained(error))) }
            }
        }
        defer { work.cancel() }
        return await results.first { _ in true }
    }

    private func run(_ number: Int) async throws -> any DeclaredEvents {
        func context(_ traceparent: String?) -> WorkContext {
            WorkContext(key: key, attempt: number, traceparent: traceparent, session: session)
        }
        guard let tracing = app.tracing else { return try await body.run(context(traceparent)) }
        return try await tracing.withSpan("work \(name)", under: traceparent) { try await body.run(context($0)) }
    }

    /// The failure that the app receives. Other errors may contain text that clients must not read, so they are only
    /// logged.
    private func explained(_ error: any Error) -> WorkFailure {
        if let failure = error as? WorkFailure { return failure }
        // For work with a secret, only the error's type is logged: the text may repeat the secret.
        let reason = body.holdsSecret ? "\(type(of: error))" : "\(error)"
        app.logger.warning("The work \(name) failed: \(reason)")
        return .unexplained
    }
}

/// A function that runs the attempts at a piece of work, and returns the event that reports the outcome; `nil` if its
/// task was canceled.
package typealias WorkExecutor = @Sendable (WorkAttempts) async -> (any DeclaredEvents)?
