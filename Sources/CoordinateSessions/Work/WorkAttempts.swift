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

    private enum Failure: Error {
        case cancelled
        case work(WorkFailure)
    }

    /// The event that reports the outcome of the work; `nil` if the task was canceled.
    func run() async -> (any DeclaredEvents)? {
        var failures = 0
        while true {
            do throws(Failure) {
                return try await attempt(first + failures)
            } catch .work(let failure) {
                failures += 1
                guard !Task.isCancelled else { return nil }
                guard let length = body.retry.pause(after: failures) else { return body.failed(failure) }
                guard await pause(length) else { return nil }
            } catch {
                return nil
            }
        }
    }

    /// Waits before the next attempt.
    ///
    /// - Returns: Whether the task was not canceled meanwhile.
    private func pause(_ length: Duration) async -> Bool {
        let promise = Promise<Bool, Never>()
        let end = alarm(WorkDelay(kind: .retryPause, work: name, length: length)) { promise.fulfil(.success(true)) }
        defer { end() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                promise.whenDelivered { continuation.resume(returning: $0 == .success(true)) }
            }
        } onCancel: {
            promise.fulfil(.success(false))
        }
    }

    /// Runs the work once. The caller does not wait for work that exceeds its time limit, or ignores its cancellation.
    private func attempt(_ number: Int) async throws(Failure) -> any DeclaredEvents {
        let promise = Promise<any DeclaredEvents, Failure>()
        // Set before the work begins, so that a test whose fakes have seen the work begin can let its time pass.
        let end = alarm(WorkDelay(kind: .timeLimit, work: name, length: body.timeLimit)) {
            promise.fulfil(.failure(.work(.timedOut)))
        }
        defer { end() }
        let work = Task {
            do {
                promise.fulfil(.success(try await run(number)))
            } catch {
                promise.fulfil(.failure(Task.isCancelled ? .cancelled : .work(explained(error))))
            }
        }
        defer { work.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                promise.whenDelivered { continuation.resume(returning: $0) }
            }
        } onCancel: {
            promise.fulfil(.failure(.cancelled))
            work.cancel()
        }
        return try result.get()
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

/// A function that runs the attempts at a piece of work, and calls `finished` with the outcome. It returns a function
/// that gives them up.
///
/// It is called under a lock, and must not call `finished` within the call.
package typealias WorkExecutor =
    @Sendable (
        _ attempts: WorkAttempts, _ finished: @escaping @Sendable (any DeclaredEvents) -> Void
    ) -> @Sendable () -> Void

extension WorkAttempts {
    /// Runs the attempts in a task of their own.
    package static let inTask: WorkExecutor = { attempts, finished in
        let task = Task {
            if let event = await attempts.run() { finished(event) }
        }
        return { task.cancel() }
    }
}
