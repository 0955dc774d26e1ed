internal import Dispatch

/// The one thread on which long tests do their work.
private let longWork = DispatchQueue(label: "long tests")

/// Does work that takes seconds, one piece after another on a thread of its own: the few threads that all tests share are
/// for those with clients and servers, which do not wait for ever.
public func onOneThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        longWork.async { continuation.resume(returning: body()) }
    }
}
