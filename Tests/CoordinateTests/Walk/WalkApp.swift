import Coordinate

/// An app that does everything an app may do, for random walks.
///
/// Its screens offer operations on coordinators. A user first aims at one of them, and then chooses what happens to it.
/// A screen that was shown for a route has the route's path as its title.
struct WalkApp: CoordinatedApp {
    /// The ways in which an app names the route of what it shows.
    enum Style: CaseIterable {
        /// By `show(_:for:)` and similar methods.
        case shown
        /// By `activeRoute`, after it has shown something.
        case set
    }

    let name = "Walk"
    let version = "1.0"
    let events = EventCatalog(Events.self)
    let routes = RouteCatalog(House.Route.self)
    let style: Style

    func makeRootCoordinator() -> CoordinatorNode { House(World(style)) }

    /// The links with values; those without are opened as well.
    var samples: [Sample] {
        [0, 4, 6, 7].map { Sample.link("/main/shelf/item/\($0)") }
            + [
                "shelf/folder/page/1", "shelf/edit/1", "shelf/sheet/page/1", "desk/compare/1", "desk/draft/1",
                "desk/draft/2", "me/edit/1", "me/sheet/page/1",
            ].map { Sample.link("/main/\($0)") }
    }

    var invariants: [Invariant] {
        [
            Invariant("coordinators start and stop, and are activated and deactivated, in turns") { (house: House) in
                house.world.faults.isEmpty
            },
            Invariant("each flow that has ended reported its result once, and no other did") { (house: House) in
                house.world.flows.allSatisfy(\.isAsPromised)
            },
            Invariant("a breadcrumb leads to the screen with its title") { (house: House) in
                house.world.wasInterrupted || house.navigationState.hasPathsOfTitles
            },
            Invariant("a screen that a guard refuses has ended") { (house: House) in
                house.world.wasInterrupted
                    || house.navigationState.tree.all.allSatisfy { node in
                        !node.isStarted || !node.children.isEmpty || !house.world.refuses(node.title ?? "")
                    }
            },
            Invariant("a link is parked only while a guard refuses it") { (house: House) in
                house.navigationState.parked.map(house.world.parks) ?? true
            },
            Invariant("no user leaves changes without a question") { (house: House) in house.world.lost.isEmpty },
        ]
    }
}

extension WalkApp {
    enum Events: DeclaredEvents, Equatable {
        case aim(Int)
        case act(Operation)
        /// The next operation happens at a moment in the life of a coordinator.
        case wait(Moment)
        case toggleLogin, toggleKey

        static let declaration = EventDeclaration<Self>(
            "walk",
            .event("aim", Self.aim, "target") { if case .aim(let target) = $0 { target } else { nil } },
            .event("act", Self.act, "operation") { if case .act(let operation) = $0 { operation } else { nil } },
            .event("wait", Self.wait, "moment") { if case .wait(let moment) = $0 { moment } else { nil } },
            .event("toggleLogin", .toggleLogin), .event("toggleKey", .toggleKey))
    }

    /// What the app does with the coordinator that the user aims at.
    enum Operation: String, CaseIterable, PlainValueConvertible {
        case goToRoute, pushRoute, push, present, presentSheet, dismiss, stop, popToBottom
        case pushFlow, presentFlow, presentCheckout, finish
        case pushGuest, pushGuestFlow, popGuest, popToSectionRoot, popSection, presentGuest, dismissGuests
        case change
    }

    enum Moment: String, CaseIterable, PlainValueConvertible {
        case nextOperation, start, stop, activate, deactivate
    }
}

extension NavigationState {
    /// Whether the path of each breadcrumb is its title. A screen without a route is at the path of what is below.
    fileprivate var hasPathsOfTitles: Bool {
        var below = "/"
        for crumb in breadcrumbs {
            if crumb.title.hasPrefix("/") ? crumb.path != crumb.title : !crumb.path.hasPrefix(below) { return false }
            below = crumb.path
        }
        return true
    }
}

extension NavigationState.Node {
    /// This node and all below it.
    fileprivate var all: [NavigationState.Node] { [self] + (children + presented).flatMap(\.all) }
}
