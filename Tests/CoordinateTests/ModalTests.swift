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

    @Test func presentWhilePresentingMakesAChain() {
        let (stack, _) = Stack.started("A")
        let modals = [Leaf("M"), Leaf("N"), Leaf("O")]
        for modal in modals { stack.present(modal, animated: false) }
        #expect(modals.map(\.id) == ["Stack/M", "Stack/N", "Stack/O"], "the presenter owns them all")
        #expect(modals[1].rootViewController.presentingViewController === modals[0].rootViewController)
        #expect(stack.visibleLeaf === modals[2])
    }

    @Test func aModalPresentedWhileAnotherStartsGoesOnTopOfIt() {
        let box = Box.started(log: log)
        let first = Leaf("M", log: log)
        let second = Leaf("N", log: log)
        first.probe.onStart = { [unowned box] in box.present(second, animated: false) }
        box.present(first, animated: false)
        #expect(second.id == "Box/N")
        box.dismiss()
        #expect(log.flush(only: "start", "stop") == ["M start", "N start", "N stop", "M stop"])
    }

    @Test func theModalOnTopPresentedAgainStays() {
        let box = Box.started(log: log)
        let modal = Leaf("M", log: log)
        var completions = 0
        box.present(modal, animated: false)
        let failure = failure(of: box) { box.present(modal, animated: false) { completions += 1 } }
        #expect(failure == nil)
        #expect(completions == 1)
        #expect(log.flush() == ["M start", "M activate"])
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

    @Test func theDismissEventTakesTheTopMostModalOnly() {
        let (stack, leaves) = Stack.started("A")
        let modal = Box("M")
        let content = Leaf("Content")
        let upper = Leaf("N")
        stack.present(modal, animated: false)
        modal.root(content)
        content.present(upper, animated: false)
        #expect(!stack.emitEvent(NavigationEvents.dismiss).isHandled)
        #expect(stack.visibleLeaf.emitEvent(NavigationEvents.dismiss).handledBy == "Stack/M/Content")
        #expect(stack.visibleLeaf === content)
        #expect(stack.visibleLeaf.emitEvent(NavigationEvents.dismiss).handledBy == "Stack")
        #expect(stack.visibleLeaf === leaves[0])
        #expect(!stack.visibleLeaf.emitEvent(NavigationEvents.dismiss).isHandled)
    }

    @Test func anEventInAModalBubblesToItsPresenter() {
        let (stack, leaves) = Stack.started("A")
        leaves[0].probe.onEvent = { _ in true }
        let modal = Leaf("M")
        leaves[0].present(modal, animated: false)
        #expect(modal.emitEvent(Ping.ping).handledBy == "Stack/A")
        #expect(stack.visibleLeaf === modal)
    }

    @Test func backDoesNotReachTheStackUnderAModal() {
        let (stack, _) = Stack.started("A", "B")
        stack.present(Leaf("M"), animated: false)
        #expect(!stack.visibleLeaf.emitEvent(NavigationEvents.back).isHandled)
        #expect(stack.navigationState.back == nil)
        let inner = Stack("Inner")
        inner.show(Leaf("C"), sender: nil)
        inner.show(Leaf("D"), sender: nil)
        stack.present(inner, animated: false)
        #expect(stack.navigationState.back?.title == "C")
        #expect(stack.visibleLeaf.emitEvent(NavigationEvents.back).handledBy == "Stack/Inner")
    }

    @Test func aModalMayBecomeTheRootAndTheRootAModal() {
        let box = Box.started(log: log)
        let leaf = Leaf("A", log: log)
        box.present(leaf, animated: false)
        box.root(leaf)
        #expect(box.presentedCoordinator == nil)
        #expect(box.navigationState.tree.children.map(\.id) == ["Box/A"])
        box.present(leaf, animated: false)
        #expect(box.navigationState.tree.children.isEmpty)
        #expect(box.navigationState.tree.presented.map(\.id) == ["Box/A"])
        #expect(log.flush(only: "start", "stop") == ["A start"])
    }

    @Test func aStackEntryThatBecomesAModalLeavesTheStack() {
        let (stack, leaves) = Stack.started("A", "B", "C")
        stack.present(leaves[1], animated: false)
        #expect(stack.rootViewController.viewControllers.map(\.title) == ["A", "C"])
        stack.dismiss()
        #expect(!leaves[1].isStarted)
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
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

    @Test func aCoveredCoordinatorPresentsOnTheTopMost() {
        let (stack, leaves) = Stack.started("A", "B")
        let modals = [Leaf("M"), Leaf("N"), Leaf("O")]
        leaves[0].present(modals[0], animated: false)
        #expect(stack.visibleLeaf === modals[0], "covered by another screen of the stack")
        leaves[1].present(modals[1], animated: false)
        #expect(stack.visibleLeaf === modals[1], "covered by a modal")
        leaves[0].present(modals[2], animated: false)
        #expect(stack.visibleLeaf === modals[2])
        #expect(modals.map(\.id) == ["Stack/A/M", "Stack/B/N", "Stack/A/O"])
        #expect(stack.navigationState.breadcrumbs.map(\.title) == ["A", "B", "M", "N", "O"])
    }

    @Test func aModalPresentedInStartIsOnTopOfItsPresenter() {
        let (stack, leaves) = Stack.started("A")
        let modal = Leaf("M")
        let pushed = Leaf("B")
        pushed.probe.onStart = { [unowned pushed] in pushed.present(modal, animated: false) }
        leaves[0].present(Leaf("Lower"), animated: false)
        leaves[0].dismiss()
        stack.show(pushed, sender: nil)
        #expect(stack.visibleLeaf === modal)
        stack.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.visibleLeaf === leaves[0])
    }

    @Test func dismissOfALowerOneTakesTheUpperOnesWithIt() {
        let (stack, leaves) = Stack.started("A", log: log)
        let modals = [Leaf("M", log: log), Leaf("N", log: log), Leaf("O", log: log)]
        stack.present(modals[0], animated: false)
        leaves[0].present(modals[1], animated: false)
        stack.present(modals[2], animated: false)
        _ = log.flush()
        var completions = 0
        leaves[0].dismiss { completions += 1 }
        #expect(log.flush(only: "stop") == ["O stop", "N stop"])
        #expect(stack.visibleLeaf === modals[0])
        stack.dismiss { completions += 1 }
        stack.dismiss { completions += 1 }
        #expect(completions == 3)
        #expect(stack.visibleLeaf === leaves[0])
        #expect(stack.childCoordinators.keys.sorted() == ["A"])
        #expect(leaves[0].childCoordinators.isEmpty)
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
