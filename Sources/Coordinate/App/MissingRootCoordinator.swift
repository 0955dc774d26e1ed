/// The root of an app that creates none. Its start fails.
final class MissingRootCoordinator: Coordinator<ViewController> {
    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        fail(with: MissingRoot())
    }
}

/// An error: the app creates no root coordinator.
struct MissingRoot: Error, CustomStringConvertible {
    var description: String { "has no root coordinator: implement makeRootCoordinator() in it" }
}
