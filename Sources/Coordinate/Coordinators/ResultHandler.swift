/// Whoever waits for the result of a coordinator: told once, when that leaves the screen.
final class ResultHandler {
    /// The result, once there is one.
    var result: Any?
    private var told: ((Any?) -> Void)?

    init<Value>(_ told: @escaping (Value?) -> Void) {
        self.told = { result in told(result.flatMap { $0 as? Value }) }
    }

    /// Tells the result, or that there is none. Nothing happens the second time.
    func tell() {
        guard let told else { return }
        self.told = nil
        told(result)
    }

    /// Lets go of whoever waits, untold: the tree is not needed any more.
    func forget() {
        told = nil
    }
}
