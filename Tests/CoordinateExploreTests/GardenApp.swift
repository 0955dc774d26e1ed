import Coordinate
import Synchronization

/// A small app without faults, into which a test can plant one.
struct GardenApp: CoordinatedApp {
    enum Weed: Equatable, Sendable {
        /// A screen offers an action that no coordinator handles.
        case unhandledDig
        /// The form in the shed has an input whose field the event does not have.
        case mistypedInput
        /// The shed offers no action, not even Back.
        case lockedShed
        /// A declared path is never reached.
        case hiddenPond
        /// A declared event is never offered.
        case idleScarecrow
        /// The path of a bed leads to the list of beds.
        case vagueLinks
        /// A turn fails in the second bed.
        case brittleSpade
        /// The number of the shown bed depends on how often a bed was shown in this process.
        case wanderingMole
        /// The number of the shown bed changes once beds were shown so many times in this process.
        case lateMole(_ showings: Int)
        /// The list offers a bed that does not exist.
        case paintedDoor
        /// No coordinator handles the bell.
        case deafGardener
        /// A form refuses the values that it shows.
        case pickyForm
        /// The third watering in a row is not counted.
        case leakyCan
        /// A bed starts again after it has left the tree.
        case volunteerBed
    }

    let name = "Garden"
    let version = "1.0"
    let events: EventCatalog
    let routes: RouteCatalog
    let weed: Weed?
    let moles = Moles()
    var samples: [Sample] = []

    static let defaultSamples: [Sample] = [.work("seeds", "beans")]

    init(_ weed: Weed? = nil, samples: [Sample] = defaultSamples) {
        self.weed = weed
        self.samples = samples
        events =
            weed == .idleScarecrow
            ? EventCatalog(GardenEvents.self, ScarecrowEvents.self) : EventCatalog(GardenEvents.self)
        routes = weed == .hiddenPond ? RouteCatalog(PondRoute.self) : RouteCatalog(GardenCoordinator.Route.self)
    }

    func makeRootCoordinator() -> CoordinatorNode { GardenCoordinator(weed, moles) }

    var invariants: [Invariant] {
        [
            Invariant("each watering is counted") { (garden: GardenCoordinator) in
                garden.poured == garden.counted
            }
        ]
    }
}

/// The number of calls in all trees together, which an app should not use.
final class Moles: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

enum GardenEvents: CoordinateEvents, Equatable {
    case open(_ bed: Bed)
    case shed
    case dig
    case water
    case rest
    case sow(_ name: String, _ count: Int?, _ key: Secret)
    case order
    case didDeliver(_ seeds: String)
    case didFail(_ reason: WorkFailure)
    case bell
}

enum ScarecrowEvents: CoordinateEvents, Equatable {
    case scare
}

extension ScarecrowEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>("scarecrow", .event("scare", .scare))
}

/// The number of a bed, of which there are three.
struct Bed: PlainValueConvertible, Equatable {
    let number: Int

    static let plainType = PlainType.int
    var plainValue: PlainValue { .int(number) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Bed {
        let number = try Int.resolve(value, in: dependencies)
        guard (1...3).contains(number) else { throw PlainValueError("is the number of no bed") }
        return Bed(number: number)
    }
}

extension GardenEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "garden",
        .event("open", Self.open, "bed") { if case .open(let bed) = $0 { bed } else { nil } },
        .event("shed", .shed), .event("dig", .dig), .event("water", .water), .event("rest", .rest),
        .event("sow", Self.sow, "name", "count", "key") {
            if case .sow(let name, let count, let key) = $0 { (name, count, key) } else { nil }
        },
        .event("order", .order),
        .event("didDeliver", Self.didDeliver, "seeds") {
            if case .didDeliver(let seeds) = $0 { seeds } else { nil }
        }.appOnly,
        .event("didFail", Self.didFail, "reason") { if case .didFail(let reason) = $0 { reason } else { nil } }
            .appOnly,
        .event("bell", GardenEvents.bell).appOnly
    )
}

enum PondRoute: DeclaredRoutes {
    case garden(GardenCoordinator.Route?)
    case pond

    static let declaration = RouteDeclaration<Self>(
        .nested("", Self.garden) { if case .garden(let route) = $0 { route } else { nil } },
        .route("pond/{depth}", { (_: Int) in PondRoute.pond }) { _ in nil }
    )
}

/// The stack: the list of beds, a bed, the shed.
final class GardenCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case beds
        case bed(_ number: Int)
        case shed

        static let declaration = RouteDeclaration<Self>(
            .route("beds", .beds),
            .route("bed/{number}", Self.bed) { if case .bed(let number) = $0 { number } else { nil } },
            .route("shed", .shed)
        )
    }

    var activeRoute = Route.beds
    let weed: GardenApp.Weed?
    private let moles: Moles
    private(set) var poured = 0
    private(set) var counted = 0
    private var wateringsInARow = 0
    private var volunteer: (any Coordinating)?

    init(_ weed: GardenApp.Weed?, _ moles: Moles) {
        self.weed = weed
        self.moles = moles
        super.init()
    }

    func goTo(_ route: Route) {
        switch route {
        case .beds: root(BedsCoordinator(weed), for: .beds)
        case .bed(let number):
            if weed == .vagueLinks { return goTo(.beds) }
            root(BedsCoordinator(weed), for: .beds)
            show(BedCoordinator(number, weed), for: .bed(number))
        case .shed:
            root(BedsCoordinator(weed), for: .beds)
            show(ShedCoordinator(weed), for: .shed)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? GardenEvents else { return false }
        if event != .water { wateringsInARow = 0 }
        switch event {
        case .open(let bed):
            let number =
                switch weed {
                case .wanderingMole: bed.number * 1_000 + moles.next()
                case .lateMole(let showings): moles.next() > showings ? bed.number + 1_000 : bed.number
                default: bed.number
                }
            show(BedCoordinator(number, weed), for: .bed(number))
        case .shed:
            weed == .lockedShed
                ? root(ShedCoordinator(weed), for: .shed) : show(ShedCoordinator(weed), for: .shed)
        case .water:
            wateringsInARow += 1
            poured += 1
            if weed != .leakyCan || wateringsInARow < 3 { counted += 1 }
        case .rest where weed == .volunteerBed:
            volunteer = topCoordinator
            popToRoot()
            volunteer?.start(with: {})
        case .rest: break
        case .dig: return weed != .unhandledDig
        default: return false
        }
        return true
    }
}

final class BedsCoordinator: Coordinator<BedsViewController> {
    init(_ weed: GardenApp.Weed?) {
        super.init()
        rootViewController.weed = weed
    }
}

final class BedsViewController: ViewController {
    var weed: GardenApp.Weed?

    override var rows: [Screen.Row] {
        (1...(weed == .paintedDoor ? 4 : 3)).map { bed in
            let open = Action(title: "Bed \(bed)", event: GardenEvents.open(Bed(number: bed)))
            return Screen.Row(id: "\(bed)", title: "Bed \(bed)", action: open)
        }
    }

    override var actions: [Action] { [Action(title: "Shed", event: GardenEvents.shed)] }
}

final class BedCoordinator: Coordinator<BedViewController> {
    private let weed: GardenApp.Weed?

    init(_ number: Int, _ weed: GardenApp.Weed?) {
        self.weed = weed
        super.init()
        rootViewController.number = number
        rootViewController.title = "Bed \(number)"
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case GardenEvents.rest = event, weed == .brittleSpade, rootViewController.number == 2 else {
            return false
        }
        fail(with: BrokenSpade())
        return true
    }
}

struct BrokenSpade: Error {}

final class BedViewController: ViewController {
    var number = 0

    override var actions: [Action] {
        [
            Action(title: "Water", event: GardenEvents.water), Action(title: "Rest", event: GardenEvents.rest),
            Action(title: "Dig", event: GardenEvents.dig),
        ]
    }
}

/// The coordinator of the shed, where seeds are ordered and sown. Finally a bell rings.
final class ShedCoordinator: Coordinator<ShedViewController> {
    init(_ weed: GardenApp.Weed?) {
        super.init()
        rootViewController.weed = weed
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? GardenEvents else { return false }
        switch event {
        case .order:
            perform(
                "seeds", { _ in "beans" }, done: GardenEvents.didDeliver, failed: GardenEvents.didFail)
            perform("late", after: .seconds(90), GardenEvents.bell)
            perform("early", after: .seconds(30), GardenEvents.bell)
        case .didDeliver(let seeds): rootViewController.note = "there are \(seeds)"
        case .didFail(let failure): rootViewController.note = failure.reason
        case .bell where rootViewController.weed == .deafGardener: return false
        case .bell: rootViewController.note = "it rang at \(now.seconds)"
        case .sow("", _, _) where rootViewController.weed == .pickyForm: rootViewController.hasError = true
        case .sow(let name, let count, _):
            rootViewController.hasError = false
            rootViewController.note = "\(count ?? 0) \(name)"
        default: return false
        }
        return true
    }
}

final class ShedViewController: ViewController {
    var weed: GardenApp.Weed?
    var note: String?
    var hasError = false

    override var message: String? { note }

    override var actions: [Action] {
        guard weed != .lockedShed else { return [] }
        return [
            Action(title: "Order", event: GardenEvents.order),
            Action(
                title: "Sow", event: GardenEvents.sow("", nil, Secret("")),
                inputs: [
                    .init("name", title: "Name", error: hasError ? "is missing" : nil),
                    .init("count", title: "How many"),
                    .init(weed == .mistypedInput ? "kay" : "key", title: "Key"),
                ]),
        ]
    }
}
