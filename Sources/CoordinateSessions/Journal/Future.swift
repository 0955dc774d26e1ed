// Public because all of it can be inlined: every request creates futures and reads them.
public import Synchronization

/// A value that is available now, or that another thread delivers later.
///
/// Most journals deliver their results later, since a disk or another machine has to respond first. A journal in memory
/// delivers them at once: then nothing is allocated, and the caller continues on its own thread. An `async` function
/// would always switch threads.
///
/// ```swift
/// journal.head(of: session).whenDone(on: worker) { head in … }
/// ```
@frozen
public enum Future<Value: Sendable, Failure: Error>: Sendable {
    /// The result is available.
    case now(Result<Value, Failure>)
    /// The result arrives later.
    case later(Promise<Value, Failure>)

    /// The result; `nil` if it is not available yet.
    @inlinable
    public var result: Result<Value, Failure>? {
        switch self {
        case .now(let result): result
        case .later(let promise): promise.result
        }
    }

    /// Calls the body with the result on an executor: at once if the result is available and the caller runs there.
    ///
    /// - Parameter reason: The client or caller that needs the result; `nil` if it is needed in any case.
    @inlinable
    public func whenDone(
        on executor: any Executor, for reason: (any Awaited)? = nil,
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        switch self {
        case .now(let result): if executor.isCurrent { body(result) } else { executor.enqueue { body(result) } }
        case .later(let promise): promise.whenDone(on: executor, for: reason, body)
        }
    }

    /// Calls a closure with the result on the thread that delivers it. The closure must only hand the result over, so
    /// that the thread is not blocked.
    package func whenDelivered(
        for reason: (any Awaited)? = nil, _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        switch self {
        case .now(let result): body(result)
        case .later(let promise): promise.whenDelivered(for: reason, body)
        }
    }

    /// The value. Blocks the thread until the value is available: for tools and tests.
    public var value: Value {
        get async throws(Failure) {
            let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
                whenDelivered { continuation.resume(returning: $0) }
            }
            return try result.get()
        }
    }

    /// A future of the result of a function applied to the value, on an executor.
    @inlinable
    public func map<Other: Sendable>(
        on executor: any Executor, _ transform: @escaping @Sendable (Value) -> Other
    ) -> Future<Other, Failure> {
        mapResult(on: executor) { $0.map(transform) }
    }

    /// A future of the result of a function applied to the result, on an executor.
    @inlinable
    public func mapResult<Other: Sendable, OtherFailure: Error>(
        on executor: any Executor,
        _ transform: @escaping @Sendable (Result<Value, Failure>) -> Result<Other, OtherFailure>
    ) -> Future<Other, OtherFailure> {
        if let result, executor.isCurrent { return .now(transform(result)) }
        let promise = Promise<Other, OtherFailure>()
        whenDone(on: executor, for: promise) { promise.fulfil(transform($0)) }
        return .later(promise)
    }

    /// A future of the result of another operation, which begins with the value, on an executor.
    @inlinable
    package func flatMap<Other: Sendable>(
        on executor: any Executor, _ next: @escaping @Sendable (Value) -> Future<Other, Failure>
    ) -> Future<Other, Failure> {
        then(on: executor) { result in
            switch result {
            case .success(let value): next(value)
            case .failure(let error): .failed(error)
            }
        }
    }

    /// A future of the result of another operation, which begins with this result, on an executor.
    @inlinable
    public func then<Other: Sendable, OtherFailure: Error>(
        on executor: any Executor,
        _ next: @escaping @Sendable (Result<Value, Failure>) -> Future<Other, OtherFailure>
    ) -> Future<Other, OtherFailure> {
        if let result, executor.isCurrent { return next(result) }
        let promise = Promise<Other, OtherFailure>()
        whenDone(on: executor, for: promise) { result in
            next(result).whenDone(on: executor, for: promise) { promise.fulfil($0) }
        }
        return .later(promise)
    }
}

extension Future {
    /// Creates a future with an available value.
    @inlinable
    public static func now(_ value: Value) -> Future { .now(.success(value)) }

    /// Creates a future with a known error.
    @inlinable
    public static func failed(_ error: Failure) -> Future { .now(.failure(error)) }
}

/// A client or caller that waits for a result, until it leaves.
public protocol Awaited: AnyObject, Sendable {
    /// Whether the result is still needed. Once `false`, it stays `false`.
    var isAwaited: Bool { get }
}

/// A value that is computed elsewhere and delivered once.
///
/// The code that creates a promise must fulfill it in the end, with an error if necessary, since others wait for it.
/// Long work checks now and then whether they still do.
public final class Promise<Value: Sendable, Failure: Error>: Awaited {
    @usableFromInline
    struct Waiter: Sendable {
        /// `nil` if the body only hands the result over.
        @usableFromInline let executor: (any Executor)?
        @usableFromInline let reason: (any Awaited)?
        @usableFromInline let body: @Sendable (Result<Value, Failure>) -> Void

        @inlinable
        init(
            _ executor: (any Executor)?, _ reason: (any Awaited)?,
            _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
        ) {
            self.executor = executor
            self.reason = reason
            self.body = body
        }

        @inlinable
        func deliver(_ result: Result<Value, Failure>) {
            guard let executor, !executor.isCurrent else { return body(result) }
            executor.enqueue { [body] in body(result) }
        }
    }

    @usableFromInline
    enum State: Sendable {
        case open([Waiter])
        case done(Result<Value, Failure>)
    }

    @usableFromInline let state: Mutex<State>

    @inlinable
    public init() {
        state = Mutex(.open([]))
    }

    /// The result; `nil` if it is not available yet.
    @inlinable
    public var result: Result<Value, Failure>? {
        state.withLock { state in if case .done(let result) = state { result } else { nil } }
    }

    /// Delivers the result to all that wait, each on its executor. Only the first call counts.
    @inlinable
    public func fulfil(_ result: Result<Value, Failure>) {
        let waiting = state.withLock { state -> [Waiter] in
            guard case .open(let waiting) = state else { return [] }
            state = .done(result)
            return waiting
        }
        for waiter in waiting { waiter.deliver(result) }
    }

    /// Whether any caller still waits for the value. A later caller may find that the work was cancelled.
    public var isAwaited: Bool {
        let waiting = state.withLock { state in if case .open(let waiting) = state { waiting } else { [Waiter]() } }
        return waiting.isEmpty || waiting.contains { $0.reason?.isAwaited != false }
    }

    /// Calls the body with the result on an executor: at once if the result is available and the caller runs there.
    ///
    /// - Parameter reason: The client or caller that needs the result; `nil` if it is needed in any case.
    @inlinable
    public func whenDone(
        on executor: any Executor, for reason: (any Awaited)? = nil,
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        append(Waiter(executor, reason, body))
    }

    /// Calls a closure with the result on the thread that delivers it: see ``Future/whenDelivered(for:_:)``.
    package func whenDelivered(
        for reason: (any Awaited)? = nil, _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        append(Waiter(nil, reason, body))
    }

    @usableFromInline
    func append(_ waiter: Waiter) {
        let result = state.withLock { state -> Result<Value, Failure>? in
            switch state {
            case .done(let result): return result
            case .open(let waiting):
                state = .open(waiting + [waiter])
                return nil
            }
        }
        if let result { waiter.deliver(result) }
    }
}
