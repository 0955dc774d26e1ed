public import Coordinate
public import CoordinateSessions

/// A tiny app whose state and path depend on every event that it has accepted, and on their order.
///
/// Its root adds each event's number to a sum, which is its route. Pages are pushed on it and popped. The root and the
/// pages set timers and request work, whose outcomes are added to the sum as well.
public struct TallyApp: CoordinatedApp {
    public let name = "Tally"
    public let version = "1"
    public let events = EventCatalog(TallyEvents.self)
    public let routes = RouteCatalog(TallyCoordinator.Route.self)

    public init() {}

    public func makeRootCoordinator(options: TallyOptions) -> CoordinatorNode { TallyCoordinator(options) }

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

/// The differences between tallies.
public struct TallyOptions: SessionOptions {
    /// The number of a timer that is set at the start; 0 for none. Beyond 10, work is requested as well.
    var alarm = 0

    public static let declaration = OptionDeclaration<Self>(.option("alarm", \.alarm))

    public init() {}
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
    private let options: TallyOptions
    private var sum = 0
    private var pages: [PageCoordinator] = []

    init(_ options: TallyOptions) {
        self.options = options
        super.init()
    }

    public override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        pages = [PageCoordinator(number: 0)]
        root(pages[0])
        if options.alarm > 0 { time(options.alarm) }
        if options.alarm > 10 { ask(options.alarm) }
    }

    public func goTo(_ route: Route) {
        if case .sum(let sum) = route { self.sum = sum }
        activeRoute = route
    }

    public override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? TallyEvents else { return false }
        switch event {
        case .push(let number):
            let page = PageCoordinator(number: number)
            pages.append(page)
            show(page, sender: self)
        case .pop:
            if pages.count > 1 {
                pages.removeLast()
                popToCoordinator(pages[pages.count - 1], animated: false)
            }
        case .time(let number) where !number.isMultiple(of: 2): time(number)
        case .ask(let number) where !number.isMultiple(of: 2): ask(number)
        case .cancel(let number): cancel(number)
        // Each event leads to others, and finally to an end.
        case .rang(let number) where number.isMultiple(of: 5): ask(number)
        case .worked(let number) where number.isMultiple(of: 4): time(number)
        default: break
        }
        sum = Self.sum(sum, with: event.number)
        activeRoute = .sum(sum)
        return true
    }

    /// The sum after one more number. Different orders rarely have the same sum.
    static func sum(_ sum: Int, with number: Int) -> Int { (sum * 31 + number) % 1_000_003 }
}

/// One page of a tally, which requests work for even numbers; the root requests the rest.
public final class PageCoordinator: Coordinator<ViewController> {
    private let number: Int

    init(number: Int) {
        self.number = number
        super.init()
        rootViewController.title = "Page \(number)"
    }

    public override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        if number > 0, number.isMultiple(of: 3) { ask(number) }
    }

    public override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event as? TallyEvents {
        case .time(let number) where number.isMultiple(of: 2): time(number)
        case .ask(let number) where number.isMultiple(of: 2): ask(number)
        case .cancel(let number): cancel(number)
        default: break
        }
        return false
    }
}
