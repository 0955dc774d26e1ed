internal import Synchronization

/// A value that is made when it is first needed, once, and shared by all from then on.
struct MadeOnce<Value: Sendable>: ~Copyable, Sendable {
    private let made = Mutex<Value?>(nil)

    /// - Parameter make: Makes the value; it must not use this value itself.
    func value(_ make: () -> Value) -> Value {
        made.withLock { made in
            if let made { return made }
            let new = make()
            made = new
            return new
        }
    }
}
