/// Whoever waits for the result of a coordinator: told once, when that leaves the screen.
final class ResultHandler {
    /// The result, once there is one.
    var result: Any?
    private let presenter: Anchor
    private var told: ((Any?) -> Void)?

    /// - Parameters:
    ///   - presenter: The coordinator that waits.
    ///   - told: Called with the result, nil where there is none.
    init<Value>(of presenter: CoordinatorNode, _ told: @escaping (Value?) -> Void) {
        self.presenter = presenter.anchor
        self.told = { result in told(result.flatMap { $0 as? Value }) }
    }

    /// The coordinator that waits, nil once it is gone.
    var whoWaits: CoordinatorNode? { presenter.node }

    /// Tells the result, or that there is none. Nothing happens the second time, or where nobody waits any more.
    func tell() {
        guard let told else { return }
        self.told = nil
        guard presenter.node != nil else { return }
        told(result)
    }

    /// Lets go of whoever waits, untold: the tree is not needed any more.
    func forget() {
        told = nil
    }
}
