import Coordinate

extension RouteWalk {
    class Single: Coordinator<Page>, Walker {
        let world: World
        var life = Life.new
        var isDirty = false
        let saysRouteByShowing: Bool
        private(set) var serial = 0

        init(_ title: String, _ world: World) {
            self.world = world
            saysRouteByShowing = world.choosesShowing()
            super.init()
            rootViewController.title = title
            serial = world.add(self)
        }

        deinit { world.livingCount -= 1 }

        override func start(with completion: @escaping () -> Void = {}) {
            note(.started, after: .new, "start")
            super.start(with: completion)
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            guard isStarted else { return super.stop(with: completion) }
            super.stop(with: completion)
            note(.new, after: .started, "stop")
        }

        override func activate() { note(.active, after: .started, "activate") }

        override func deactivate() { note(.started, after: .active, "deactivate") }

        override func alertBeforeLeaving() -> Alert? { question }
    }

    class Switch: ContainerCoordinator<Page>, Walker {
        let world: World
        var life = Life.new
        var isDirty = false
        let saysRouteByShowing: Bool
        private(set) var serial = 0

        init(_ title: String, _ world: World) {
            self.world = world
            saysRouteByShowing = world.choosesShowing()
            super.init()
            rootViewController.title = title
            serial = world.add(self)
        }

        deinit { world.livingCount -= 1 }

        override func start(with completion: @escaping () -> Void = {}) {
            note(.started, after: .new, "start")
            super.start(with: completion)
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            guard isStarted else { return super.stop(with: completion) }
            super.stop(with: completion)
            note(.new, after: .started, "stop")
        }

        override func activate() { note(.active, after: .started, "activate") }

        override func deactivate() { note(.started, after: .active, "deactivate") }

        override func alertBeforeLeaving() -> Alert? { question }
    }

    class Pile: NavigationCoordinator<NavigationController>, Walker {
        let world: World
        var life = Life.new
        var isDirty = false
        let saysRouteByShowing: Bool
        private(set) var serial = 0

        init(_ title: String, _ world: World) {
            self.world = world
            saysRouteByShowing = world.choosesShowing()
            super.init()
            rootViewController.title = title
            serial = world.add(self)
        }

        deinit { world.livingCount -= 1 }

        override func start(with completion: @escaping () -> Void = {}) {
            note(.started, after: .new, "start")
            super.start(with: completion)
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            guard isStarted else { return super.stop(with: completion) }
            super.stop(with: completion)
            note(.new, after: .started, "stop")
        }

        override func activate() { note(.active, after: .started, "activate") }

        override func deactivate() { note(.started, after: .active, "deactivate") }

        override func alertBeforeLeaving() -> Alert? { question }
    }

    class Bar: TabBarCoordinator<TabBarController>, Walker {
        let world: World
        var life = Life.new
        var isDirty = false
        let saysRouteByShowing: Bool
        private(set) var serial = 0

        init(_ title: String, _ world: World) {
            self.world = world
            saysRouteByShowing = world.choosesShowing()
            super.init()
            rootViewController.title = title
            serial = world.add(self)
        }

        deinit { world.livingCount -= 1 }

        override func start(with completion: @escaping () -> Void = {}) {
            note(.started, after: .new, "start")
            super.start(with: completion)
        }

        override func stop(with completion: @escaping () -> Void = {}) {
            guard isStarted else { return super.stop(with: completion) }
            super.stop(with: completion)
            note(.new, after: .started, "stop")
        }

        override func activate() { note(.active, after: .started, "activate") }

        override func deactivate() { note(.started, after: .active, "deactivate") }

        override func alertBeforeLeaving() -> Alert? { question }
    }
}
