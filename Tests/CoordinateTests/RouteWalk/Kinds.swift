import Coordinate

/// A coordinator of each kind. They override the same methods, as their base classes have nothing between them to be
/// overridden once, and call what is written once.
extension RouteWalk {
    class Single: Coordinator<Page>, Walker {
        let steps: Steps

        init(_ title: String, _ world: World) {
            steps = Steps(in: world)
            super.init()
            begin(title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            started { super.start(with: completion) }
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            stopped { super.stop(with: completion) }
        }

        override func activate() { activated() }
        override func deactivate() { deactivated() }

        override func alertBeforeLeaving() -> Alert? { question }
    }

    class Switch: ContainerCoordinator<Page>, Walker {
        let steps: Steps

        init(_ title: String, _ world: World) {
            steps = Steps(in: world)
            super.init()
            begin(title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            started { super.start(with: completion) }
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            stopped { super.stop(with: completion) }
        }

        override func activate() { activated() }
        override func deactivate() { deactivated() }

        override func alertBeforeLeaving() -> Alert? { question }
    }

    class Pile: NavigationCoordinator<NavigationController>, Walker {
        let steps: Steps

        init(_ title: String, _ world: World) {
            steps = Steps(in: world)
            super.init()
            begin(title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            started { super.start(with: completion) }
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            stopped { super.stop(with: completion) }
        }

        override func activate() { activated() }
        override func deactivate() { deactivated() }

        override func alertBeforeLeaving() -> Alert? { question }
    }

    class Bar: TabBarCoordinator<TabBarController>, Walker {
        let steps: Steps

        init(_ title: String, _ world: World) {
            steps = Steps(in: world)
            super.init()
            begin(title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            started { super.start(with: completion) }
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            stopped { super.stop(with: completion) }
        }

        override func activate() { activated() }
        override func deactivate() { deactivated() }

        override func alertBeforeLeaving() -> Alert? { question }
    }
}
