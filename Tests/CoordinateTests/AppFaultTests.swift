import Coordinate
import Synchronization
import Testing

/// The faults of an app that its tree shows when it starts.
struct AppFaultTests {
    @Test func anAppNeedsARoot() throws {
        struct Rootless: CoordinatedApp {
            let name = "Rootless"
            let version = "1.0"
            let events = EventCatalog()
            let routes = RouteCatalog()
        }
        #expect(Rootless().faults == ["Rootless has no root coordinator: implement makeRootCoordinator() in it"])
        let root = Rootless().makeRootCoordinator()
        #expect(throws: (any Error).self) { try root.turn { root.start() } }
    }

    @Test func aRootCallsSuperWhenItStarts() {
        final class HastyCoordinator: Coordinator<ViewController> {
            override func start(with completion: @escaping () -> Void = {}) { completion() }
        }
        #expect(
            faults(of: HastyCoordinator.init) == [
                "HastyCoordinator overrides start(with:) and does not call super: "
                    + "call super.start(with: completion) in it"
            ])
    }

    @Test func aRootStarts() {
        final class LostCoordinator: TabBarCoordinator<TabBarController> {
            override func start(with completion: @escaping () -> Void = {}) {
                super.start(with: completion)
                select(Leaf("Stray"))
            }
        }
        #expect(
            faults(of: LostCoordinator.init) == [
                "LostCoordinator fails when it starts: Stray is not a tab of LostCoordinator: "
                    + "set it with setCoordinators(_:) first"
            ])
    }

    @Test func noWorkBeginsWhenTheFaultsAreFound() {
        let begun = Counter()
        final class BusyCoordinator: Coordinator<ViewController> {
            let begun: Counter
            init(_ begun: Counter) {
                self.begun = begun
                super.init()
            }
            override func start(with completion: @escaping () -> Void = {}) {
                super.start(with: completion)
                let begun = begun
                perform(
                    "work", { _ in begun.count.add(1, ordering: .relaxed) }, done: { _ in Ring.rang },
                    failed: { _ in Ring.rang })
            }
        }
        #expect(faults { BusyCoordinator(begun) } == [])
        #expect(begun.count.load(ordering: .relaxed) == 0)
    }

    // MARK: The catalog of paths

    @Test func theCatalogHasTheRoutesOfTheRoot() {
        let reason = "make it RouteCatalog(HallCoordinator.Route.self)"
        #expect(
            faults(of: HallCoordinator.init) == [
                "RootedApp.routes is empty, but its root HallCoordinator has routes: \(reason)"
            ])
        #expect(
            faults(of: HallCoordinator.init, routes: RouteCatalog(ShopRoute.self)) == [
                "RootedApp.routes lists ShopRoute, but its root HallCoordinator has other routes: \(reason)"
            ])
        #expect(faults(of: HallCoordinator.init, routes: RouteCatalog(HallCoordinator.Route.self)) == [])
    }

    @Test func theCatalogHasThePathToBeginWith() {
        final class OuterCoordinator: ContainerCoordinator<ViewController>, HasRoutes {
            enum Route: DeclaredRoutes {
                case inner
                static let declaration = RouteDeclaration<Self>(.route("inner", .inner))
            }
            var activeRoute = Route.inner
            override func start(with completion: @escaping () -> Void = {}) {
                super.start(with: completion)
                goTo(.inner)
            }
            func goTo(_ route: Route) { root(HallCoordinator(), for: route) }
        }
        #expect(
            faults(of: OuterCoordinator.init, routes: RouteCatalog(OuterCoordinator.Route.self)) == [
                "RootedApp starts at /inner/hall, but RootedApp.routes does not have that path: "
                    + "declare each case of AppFaultTests.OuterCoordinator.Route that shows a coordinator with "
                    + "routes as nested"
            ])
    }

    private func faults(of root: @escaping @Sendable () -> CoordinatorNode, routes: RouteCatalog = RouteCatalog())
        -> [String]
    {
        RootedApp(routes: routes, root: root).faults
    }
}

private final class Counter: Sendable { let count = Atomic(0) }

private enum Ring: DeclaredEvents, Equatable {
    case rang
    static let declaration = EventDeclaration<Self>("ring", .event("rang", .rang))
}

private final class HallCoordinator: Coordinator<ViewController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case hall
        static let declaration = RouteDeclaration<Self>(.route("hall", .hall))
    }

    var activeRoute = Route.hall

    func goTo(_ route: Route) {}
}
