internal import Synchronization

/// A value that is created when it is first needed, and then shared.
struct LazyValue<Value: Sendable>: ~Copyable, Sendable {
    private let made = Mutex<Value?>(nil)

    /// - Parameter make: Creates the value. It must not use this value itself.
    func value(_ make: () -> Value) -> Value {
        made.withLock { made in
            if let made { return made }
            let new = make()
            made = new
            return new
        }
    }
}
