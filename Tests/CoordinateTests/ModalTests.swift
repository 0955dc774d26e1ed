import Coordinate
import Testing

struct ModalTests {
    private let log = Log()

    @Test func aModalIsOnTopOfItsPresenter() {
        let (stack, leaves) = Stack.started("A")
        let modal = Leaf("M")
        stack.present(modal, animated: true)
        #expect(stack.visibleLeaf === modal)
        #expect(stack.presentedCoordinator === modal)
        #expect(modal.id == "Stack/M")
        #expect(stack.rootViewController.presentedViewController === modal.rootViewController)
        #expect(modal.rootViewController.presentingViewController === stack.rootViewController)
        #expect(modal.rootViewController.parent == nil)
        #expect(stack.rootViewController.visibleViewController === modal.rootViewController)
        #expect(stack.topCoordinator === leaves[0])
    }

    @Test func dismissTakesAllThatIsOnTop() {
        let (stack, leaves) = Stack.started("A", log: log)
        let modals = [Leaf("M", log: log), Leaf("N", log: log), Leaf("O", log: log)]
        for modal in modals { stack.present(modal, animated: false) }
        _ = log.flush()
        modals[0].dismiss()
        #expect(log.flush() == ["O deactivate", "O stop", "N deactivate", "N stop"])
        #expect(stack.visibleLeaf === modals[0])
        stack.dismiss()
        #expect(stack.visibleLeaf === leaves[0])
    }

    // MARK: Each belongs to its presenter

    @Test func eachModalIsOwnedByWhoPresentedIt() {
        let (stack, leaves) = Stack.started("A")
        let modals = [Leaf("M"), Leaf("N"), Leaf("O")]
        stack.present(modals[0], animated: false)
        leaves[0].present(modals[1], animated: false)
        modals[0].present(modals[2], animated: false)
        #expect(modals.map(\.id) == ["Stack/M", "Stack/A/N", "Stack/M/O"])
        #expect(modals[1].rootViewController.presentingViewController === modals[0].rootViewController)
        #expect(modals[2].rootViewController.presentingViewController === modals[1].rootViewController)
        #expect(modals[1].emitEvent(Ping.ping).trace.map(\.coordinator) == ["Stack/A/N", "Stack/A", "Stack"])
        #expect(modals[2].emitEvent(Ping.ping).trace.map(\.coordinator) == ["Stack/M/O", "Stack/M", "Stack"])
        #expect(stack.visibleLeaf === modals[2])
    }

    @Test func aModalEndsWithItsPresenterAndWithWhatIsOnTop() {
        let (stack, leaves) = Stack.started("A", "B", log: log)
        stack.present(Leaf("M", log: log), animated: false)
        leaves[1].present(Leaf("N", log: log), animated: false)
        stack.present(Leaf("O", log: log), animated: false)
        _ = log.flush()
        leaves[1].stop()
        #expect(log.flush(only: "stop") == ["B stop", "O stop", "N stop"])
        #expect(stack.visibleLeaf.identifier == "M")
        stack.dismiss()
        #expect(stack.visibleLeaf === leaves[0])
    }

    @Test func dismissRestoresThePresentersRoute() {
        final class Desk: Leaf, HasRoutes {
            enum Route: String, DeclaredRoutes {
                case plain = ""
                case lamp
                case drawer

                static let declaration = RouteDeclaration<Self>(
                    .route("", .plain), .route("lamp", .lamp), .route("drawer", .drawer))
            }

            var activeRoute: Route = .plain

            func goTo(_ route: Route) {
                if route == .plain { dismiss() } else { present(Leaf(route.rawValue), animated: true) }
                activeRoute = route
            }
        }
        let desk = Desk("Desk")
        desk.start()
        desk.goTo(.lamp)
        desk.goTo(.drawer)
        #expect(desk.path == "/drawer")
        #expect(desk.navigationState.breadcrumbs.map(\.title) == ["Desk", "lamp", "drawer"])
        #expect(desk.navigationState.breadcrumbs.first?.path == "/")
        desk.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(desk.path == "/lamp")
        desk.goTo(.drawer)
        desk.dismiss()
        #expect(desk.activeRoute == .plain)
        desk.goTo(.lamp)
        (desk.visibleLeaf as? Leaf)?.stop()
        #expect(desk.activeRoute == .plain)
    }
}
