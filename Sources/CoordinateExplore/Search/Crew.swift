internal import Dispatch
internal import Synchronization

/// The threads that take states further, at once.
struct Crew {
    /// The number of threads; nil for all that the machine has cores for.
    let width: Int?
    /// True while they are to take another step; false once there is no more time for that.
    var mayGoOn: @Sendable () -> Bool = { true }

    /// The results of a body for each of so many numbers, in order.
    func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
        guard width != 1, count > 1 else { return (0..<count).map(body) }
        let results = Mutex<[Result?]>(Array(repeating: nil, count: count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(width ?? .max, count)) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
