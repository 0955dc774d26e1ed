import Coordinate

/// An app with 200 screens: a house of rooms, each with doors to three others.
struct LargeApp: CoordinatedApp {
    static let rooms = 200

    let name = "Large"
    let version = "1.0"
    let events = EventCatalog(RoomEvents.self)
    let routes = RouteCatalog(HouseCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { HouseCoordinator() }
}

enum RoomEvents: CoordinateEvents, Equatable {
    case enter(_ room: Int)
}

extension RoomEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "rooms",
        .event("enter", Self.enter, "room") { if case .enter(let room) = $0 { room } else { nil } })
}

/// The house: one room at a time.
final class HouseCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case room(_ number: Int)

        static let declaration = RouteDeclaration<Self>(
            .route("room/{number}", Self.existing) { if case .room(let number) = $0 { number } else { nil } })

        @Sendable private static func existing(_ number: Int) -> Self? {
            (0..<LargeApp.rooms).contains(number) ? .room(number) : nil
        }
    }

    var activeRoute = Route.room(0)

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        guard case .room(let number) = route else { return }
        root(RoomCoordinator(number), for: route)
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case RoomEvents.enter(let room) = event else { return false }
        navigate(to: .room(room))
        return true
    }
}

final class RoomCoordinator: Coordinator<RoomViewController> {
    init(_ number: Int) {
        super.init()
        rootViewController.number = number
        rootViewController.title = "Room \(number)"
    }
}

/// A screen with a different name for each room, as if each had its own class.
final class RoomViewController: ViewController {
    var number = 0

    override var name: String { "Room\(number)" }

    /// The rooms form a tree. The last ones lead back to earlier ones.
    private var doors: [Int] {
        (1...3).map { step in
            let next = 3 * number + step
            return next < LargeApp.rooms ? next : (7 * number + 31 * step) % LargeApp.rooms
        }
    }

    override var rows: [Screen.Row] {
        doors.map { room in
            Screen.Row(
                id: "\(room)", title: "Room \(room)",
                action: Action(title: "Room \(room)", event: RoomEvents.enter(room)))
        }
    }
}
