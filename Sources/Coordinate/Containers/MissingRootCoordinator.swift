/// The root of an app that makes none: its start fails.
final class MissingRootCoordinator: Coordinator<ViewController> {
    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        fail(with: MissingRoot())
    }
}

/// An error: an app makes no root coordinator.
struct MissingRoot: Error, CustomStringConvertible {
    var description: String { "has no root coordinator: implement makeRootCoordinator() in it" }
}
