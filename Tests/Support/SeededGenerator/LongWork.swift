internal import Dispatch

/// The one thread for the work of long tests.
private let longWork = DispatchQueue(label: "long tests")

/// Runs work that takes seconds, one piece after another on its own thread. The few threads that all tests share are
/// for tests with clients and servers, which have time limits.
public func onOneThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        longWork.async { continuation.resume(returning: body()) }
    }
}
