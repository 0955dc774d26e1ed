import Coordinate

/// The event that the lowest coordinator emits and the outermost one handles.
enum Knock: CoordinateEvents {
    case knock
}

/// A chain of nested coordinators, each with a screen. An event passes all of them.
final class Chain: NavigationCoordinator<NavigationController> {
    private let depth: Int
    private let isOutermost: Bool

    /// - Parameter depth: The number of coordinators including this one, at least 1.
    convenience init(depth: Int) {
        self.init(depth: depth, isOutermost: true)
        start()
    }

    private init(depth: Int, isOutermost: Bool) {
        self.depth = depth
        self.isOutermost = isOutermost
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        if depth > 1 { root(Chain(depth: depth - 1, isOutermost: false)) }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { isOutermost && event is Knock }
}
