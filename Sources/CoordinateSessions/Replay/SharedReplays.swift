internal import Synchronization

/// The results for earlier versions that are being computed. Requests for the same version share the work.
final class SharedReplays<Value: Sendable>: Sendable {
    struct Key: Hashable {
        let session: SessionID
        let version: Int
        /// Whether the result includes the route.
        var wantsRoute = true
    }

    typealias Answer = Future<Value, SessionError>

    private let underWay = Mutex<[Key: Promise<Value, SessionError>]>([:])

    /// The result of work that is already under way for the key; otherwise of the work that the body begins.
    func share(
        with key: Key, on executor: any Executor, _ begin: @escaping @Sendable () -> Answer
    ) -> Answer {
        let mine = Promise<Value, SessionError>()
        let others = underWay.withLock { underWay in
            if let others = underWay[key] { return others as Promise? }
            underWay[key] = mine
            return nil
        }
        if let others {
            return Answer.later(others).then(on: executor) { result in
                // All other callers had left before this one arrived.
                if case .failure(.abandoned) = result { return self.share(with: key, on: executor, begin) }
                return .now(result)
            }
        }
        let answer = begin()
        answer.whenDelivered(for: mine) { result in
            self.underWay.withLock { $0[key] = nil }
            mine.fulfil(result)
        }
        return .later(mine)
    }
}

/// The attempts that are repeated at the next sweep, about a second later.
package final class RetryList: Sendable {
    private let tries = Mutex<[@Sendable () -> Void]>([])

    func append(_ body: @escaping @Sendable () -> Void) {
        tries.withLock { $0.append(body) }
    }

    /// Repeats all attempts, in the order in which they arrived.
    func retryAll() {
        let tries = tries.withLock { tries in
            defer { tries = [] }
            return tries
        }
        for body in tries { body() }
    }
}
