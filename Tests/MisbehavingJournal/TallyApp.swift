public import Coordinate
public import CoordinateSessions

/// A tiny app whose state and path depend on every event it has taken, and on their order.
///
/// Its root adds each event's number to a sum, which is its route; pages are pushed on it and popped.
public struct TallyApp: CoordinatedApp {
    public let name = "Tally"
    public let version = "1"
    public let events = EventCatalog(TallyEvents.self)
    public let routes = RouteCatalog(TallyCoordinator.Route.self)
    public let coordinators: [CoordinatorNode.Type] = [TallyCoordinator.self, PageCoordinator.self]

    public init() {}

    public func makeRootCoordinator() -> CoordinatorNode { TallyCoordinator() }

    /// The next entry of a session, as another server of this app would write it.
    public func rivalEntry(after head: SessionHead, number: Int, mark: UInt64) -> JournalEntry {
        let sum = head.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
        return JournalEntry(
            version: head.version + 1, time: head.lastEventAt ?? head.record.createdAt, appVersion: version,
            event: "tally.note", payload: .object([PlainField("number", .int(number))]), at: "TallyCoordinator",
            isHandled: true, handledBy: "TallyCoordinator", path: "/tally/\(TallyCoordinator.sum(sum, with: number))",
            mark: mark)
    }
}

/// The events of a tally; each has a number of its own.
public enum TallyEvents: CoordinateEvents, Equatable {
    /// Changes the sum alone.
    case note(_ number: Int)
    /// Pushes a page, too.
    case push(_ number: Int)
    /// Pops a page, too.
    case pop(_ number: Int)
}

extension TallyEvents: DeclaredEvents {
    public static let declaration = EventDeclaration<Self>(
        "tally",
        .event("note", Self.note, "number") { if case .note(let number) = $0 { number } else { nil } },
        .event("push", Self.push, "number") { if case .push(let number) = $0 { number } else { nil } },
        .event("pop", Self.pop, "number") { if case .pop(let number) = $0 { number } else { nil } }
    )
}

/// The root of a tally: a stack of pages under a sum.
public final class TallyCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    public enum Route: DeclaredRoutes {
        case sum(_ sum: Int)

        public static let declaration = RouteDeclaration<Self>(
            .route("tally/{sum}", Self.sum) { if case .sum(let sum) = $0 { sum } else { nil } }
        )
    }

    public var activeRoute = Route.sum(0)
    private var sum = 0
    private var pages: [PageCoordinator] = []

    public override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        pages = [PageCoordinator(number: 0)]
        root(pages[0])
    }

    public func goTo(_ route: Route) {
        if case .sum(let sum) = route { self.sum = sum }
        activeRoute = route
    }

    public override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? TallyEvents else { return false }
        switch event {
        case .note(let number): add(number)
        case .push(let number):
            let page = PageCoordinator(number: number)
            pages.append(page)
            show(page, sender: self)
            add(number)
        case .pop(let number):
            if pages.count > 1 {
                pages.removeLast()
                popToCoordinator(pages[pages.count - 1], animated: false)
            }
            add(number)
        }
        return true
    }

    private func add(_ number: Int) {
        sum = Self.sum(sum, with: number)
        activeRoute = .sum(sum)
    }

    /// The sum after one more number: no two orders come to the same one easily.
    static func sum(_ sum: Int, with number: Int) -> Int { (sum * 31 + number) % 1_000_003 }
}

/// One page of a tally.
public final class PageCoordinator: Coordinator<ViewController> {
    init(number: Int) {
        super.init()
        rootViewController.title = "Page \(number)"
    }
}
