import Coordinate
import Testing

private enum RoomRoute: DeclaredRoutes {
    case one, two

    static let declaration = RouteDeclaration<Self>(.route("one", .one), .route("two", .two))
}

private enum HouseRoute: DeclaredRoutes {
    case hall
    case room(RoomRoute?)
    case login
    case help

    static let declaration = RouteDeclaration<Self>(
        .route("", .hall),
        .nested("room", Self.room) { if case .room(let route) = $0 { route } else { nil } },
        .route("login", .login), .route("help", .help))
}

private final class Room: Box, StartsAtItsRoute {
    var activeRoute = RoomRoute.one

    func goTo(_ route: RoomRoute) { root(Leaf("\(route)"), for: route) }
}

private final class House: Stack, StartsAtItsRoute, HasGuard {
    var activeRoute = HouseRoute.hall
    var isRoomClosed = false

    func goTo(_ route: HouseRoute) {
        root(getCached(Leaf.self, identifier: "Hall") ?? Leaf("Hall"), for: .hall)
        switch route {
        case .hall: break
        case .room(let inner):
            let room = Room("Room")
            room.goToOnceStarted(inner)
            show(room, for: .room(nil))
        case .login: root(Leaf("Login"), for: .login)
        case .help: present(Leaf("Help"), for: .help)
        }
    }

    func decide(on route: HouseRoute) -> RouteDecision<HouseRoute> {
        if case .room = route, isRoomClosed { .redirected(to: .login) } else { .granted }
    }
}

private enum TabRoute: DeclaredRoutes {
    case home, secret, help

    static let declaration = RouteDeclaration<Self>(
        .route("", .home), .route("secret", .secret), .route("help", .help))
}

private final class LockedTabs: TabBarCoordinator<TabBarController>, HasRoutes, HasGuard {
    var activeRoute = TabRoute.home
    var isLocked = false
    let home = Leaf("Home")
    let secret = Leaf("Secret")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(home, .home), (secret, .secret)])
    }

    func goTo(_ route: TabRoute) {
        switch route {
        case .home: select(home)
        case .secret: select(secret)
        case .help: present(Leaf("Help"), for: .help)
        }
    }

    func decide(on route: TabRoute) -> RouteDecision<TabRoute> {
        route == .secret && isLocked ? .redirected(to: .home) : .granted
    }
}

/// Screens without a route of their own are at the route of the screen below, and guards decide on that.
struct GuardWithoutRouteTests {
    @Test(arguments: [false, true]) func aScreenOnAContainerThatIsRefusedIsRefusedToo(_ isModal: Bool) throws {
        let house = House("House")
        try house.turn { house.start() }
        try house.turn { house.navigate(to: .room(.two)) }
        #expect(house.path == "/room/two")
        let screen = Leaf("Plain")
        try house.turn {
            if isModal { house.getCached(Room.self)?.present(screen) } else { house.show(screen, sender: nil) }
        }
        #expect(house.visibleLeaf === screen)

        try house.turn { house.isRoomClosed = true }
        #expect(house.path == "/login")
        #expect(!screen.isStarted)
    }

    @Test func aScreenOnARefusedContainerEndsBelowAModal() throws {
        let house = House("House")
        try house.turn { house.start() }
        try house.turn { house.navigate(to: .room(.two)) }
        let screen = Leaf("Plain")
        try house.turn { house.show(screen, sender: nil) }
        try house.turn { house.present(Leaf("Help"), for: .help) }
        try house.turn { house.isRoomClosed = true }
        #expect(house.path == "/help")
        #expect(!screen.isStarted)
        #expect(house.navigationState.breadcrumbs.map(\.path) == ["/", "/help"])
    }

    @Test func aLinkStillNeedsARouteOfTheChild() throws {
        let house = House("House")
        try house.turn { house.start() }
        #expect(!house.visibleLeaf.emitEvent(NavigationEvents.open("/room")).isHandled)
        #expect(house.visibleLeaf.emitEvent(NavigationEvents.open("/room/two")).isHandled)
    }

    @Test func aTabThatEndsBelowAModalHasNoBreadcrumb() throws {
        let tabs = LockedTabs()
        try tabs.turn { tabs.start() }
        try tabs.turn { tabs.select(tabs.secret) }
        try tabs.turn { tabs.present(Leaf("Help"), for: .help) }
        #expect(tabs.navigationState.breadcrumbs.map(\.path) == ["/secret", "/help"])
        try tabs.turn { tabs.isLocked = true }
        #expect(!tabs.secret.isStarted)
        #expect(tabs.navigationState.breadcrumbs.map(\.path) == ["/help"])
    }
}
