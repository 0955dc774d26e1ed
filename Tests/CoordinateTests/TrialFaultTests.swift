import Coordinate
import Testing

/// The faults that show when events, routes and paths are made of sample values.
struct TrialFaultTests {
    // MARK: Names

    @Test func namesOfEventsHaveNoDotsAndSpaces() {
        enum Dotted: DeclaredEvents, Equatable {
            case first, second, third
            static let declaration = EventDeclaration<Self>(
                "fine", .event("a.b", .first), .event("a b", .second), .event("", .third))
        }
        enum Spaced: DeclaredEvents, Equatable {
            case first, second
            static let declaration = EventDeclaration<Self>(
                "my shop", .event("first", .first), .event("second", .second))
        }
        enum Nameless: DeclaredEvents, Equatable {
            case first
            static let declaration = EventDeclaration<Self>("", .event("first", .first))
        }
        let rule = "an event's name is domain.name, and neither part may be empty or contain a dot or a space"
        #expect(
            faults(events: Dotted.self) == [
                "Dotted: the event name \"a.b\" has a dot: \(rule)",
                "Dotted: the event name \"a b\" has a space: \(rule)", "Dotted: the event name \"\" is empty: \(rule)",
            ])
        #expect(faults(events: Spaced.self) == ["Spaced: the domain \"my shop\" has a space: \(rule)"])
        #expect(faults(events: Nameless.self) == ["Nameless: the domain \"\" is empty: \(rule)"])
    }

    @Test func anOptionHasAName() {
        struct Options: SessionOptions {
            var size = 1
            static let declaration = OptionDeclaration<Self>(.option("", \.size))
        }
        #expect(DeclaringApp(options: Options.self).faults == ["Options: an option has an empty name: give it one"])
    }

    // MARK: Constructors and patterns

    @Test func anEventIsMadeAndReadByOneCase() {
        enum Teams: DeclaredEvents, Equatable {
            case didSelect(String)
            case didDeselect(String)
            case move(from: Int, to: Int)
            case swap(from: Int, to: Int)
            case pick(ZipCode)
            case drop(ZipCode)
            static let declaration = EventDeclaration<Self>(
                "teams",
                .event("didSelect", Self.didDeselect, "team") {
                    if case .didSelect(let team) = $0 { team } else { nil }
                },
                .event("didDeselect", Self.didDeselect, "team") {
                    if case .didDeselect(let team) = $0 { team } else { nil }
                },
                .event("move", Self.swap, "from", "to") {
                    if case .move(let from, let to) = $0 { (from, to) } else { nil }
                },
                .event("pick", Self.drop, "code") { if case .pick(let code) = $0 { code } else { nil } })
        }
        let remedy = "which its closure does not match: name the same case in both"
        #expect(
            faults(events: Teams.self) == [
                "Teams: teams.didSelect creates the case didDeselect, \(remedy)",
                "Teams: teams.move creates the case swap, \(remedy)",
            ])
        struct Sampled: CoordinatedApp {
            let name = "Sampled"
            let version = "1.0"
            let events = EventCatalog(Teams.self)
            let routes = RouteCatalog()
            let samples = [Sample.input("code", of: "teams.pick", "8001")]
            func makeRootCoordinator() -> CoordinatorNode { Leaf("Root") }
        }
        #expect(Sampled().faults.contains("Teams: teams.pick creates the case drop, \(remedy)"))
    }

    @Test func anEventOfWhatTheDependenciesKnowIsTried() {
        enum Basket: DeclaredEvents, Equatable {
            case add(Fruit)
            case remove(Fruit)
            static let declaration = EventDeclaration<Self>(
                "basket", .event("add", Self.remove, "fruit") { if case .add(let fruit) = $0 { fruit } else { nil } })
        }
        struct Stall: CoordinatedApp {
            let name = "Stall"
            let version = "1.0"
            let events = EventCatalog(Basket.self)
            let routes = RouteCatalog()
            func makeRootCoordinator() -> CoordinatorNode {
                let root = StallCoordinator()
                root.setDependencies(dependencies: Fruits(all: [Fruit(id: "apple")]))
                return root
            }
        }
        #expect(
            Stall().faults == [
                "Basket: basket.add creates the case remove, which its closure does not match: name the same case in both"
            ])
        // Without fruits there is no event to try.
        #expect(faults(events: Basket.self) == [])
    }

    @Test func aCaseThatIsDeclaredTwiceIsNamed() {
        enum Basket: DeclaredEvents, Equatable {
            case fill, empty
            static let declaration = EventDeclaration<Self>(
                "basket", .event("fill", .empty), .event("empty", .empty))
        }
        #expect(
            faults(events: Basket.self) == [
                "Basket: basket.fill and basket.empty both create the case empty: name another case in one of them"
            ])
    }

    @Test func aRouteIsMadeAndReadByOneCase() {
        enum Route: DeclaredRoutes {
            case list
            case team(String)
            case drivers(String)
            case help(HelpRoute?)
            case terms(HelpRoute?)
            static let declaration = RouteDeclaration<Self>(
                .route("", .list),
                .route("team/{team}", Self.drivers) { if case .team(let team) = $0 { team } else { nil } },
                .nested("help", Self.terms) { if case .help(let route) = $0 { route } else { nil } })
        }
        let remedy = "which its closure does not match: name the same case in both"
        #expect(
            faults(routes: RouteCatalog(Route.self)) == [
                "Route: \"team/{team}\" creates the case drivers, \(remedy)",
                "Route: \"help\" creates the case terms, \(remedy)",
            ])
    }

    // MARK: Two routes with one path

    @Test func twoCasesHaveTwoPaths() {
        enum Route: DeclaredRoutes {
            case list, all
            case team(String)
            case driver(String)
            case page(Int?)
            case pages
            case new
            static let declaration = RouteDeclaration<Self>(
                .route("", .list), .route("", .all),
                .route("team/{team}", Self.team) { if case .team(let team) = $0 { team } else { nil } },
                .route("team/{driver}", Self.driver) { if case .driver(let driver) = $0 { driver } else { nil } },
                .route("pages?page={page}", Self.page) { if case .page(let page) = $0 { .some(page) } else { nil } },
                .route("pages", .pages), .route("team/new", .new))
        }
        #expect(
            faults(routes: RouteCatalog(Route.self)) == [
                "Route: two cases have the path \"\", and the second is never reached: change one of them",
                "Route: \"team/{driver}\" is never reached, as \"team/{team}\" comes first: change one of them",
                "Route: \"pages\" is never reached, as \"pages?page={page}\" comes first: change one of them",
                "Route: \"team/new\" is never reached, as \"team/{team}\" comes first: change one of them",
            ])
    }

    @Test func whatTheFirstCaseRefusesReachesTheSecond() {
        enum Route: DeclaredRoutes {
            case year(Int)
            case topic(String)
            case word(String)
            static let declaration = RouteDeclaration<Self>(
                .route("{year}", Self.year) { if case .year(let year) = $0 { year } else { nil } },
                .route("{topic}", { $0 == "news" ? .topic($0) : nil }) {
                    if case .topic(let topic) = $0 { topic } else { nil }
                },
                .route("{word}", Self.word) { if case .word(let word) = $0 { word } else { nil } })
        }
        #expect(faults(routes: RouteCatalog(Route.self)) == [])
    }

    @Test func thePartOfANestedCaseLeadsToNoOtherCase() {
        enum Steps: DeclaredRoutes {
            case first
            static let declaration = RouteDeclaration<Self>(.route("first", .first))
        }
        enum Claims: DeclaredRoutes {
            case new(Steps?)
            case claim(String)
            static let declaration = RouteDeclaration<Self>(
                .nested("new", Self.new) { if case .new(let step) = $0 { step } else { nil } },
                .route("{claim}", Self.claim) { if case .claim(let claim) = $0 { claim } else { nil } })
        }
        #expect(
            faults(routes: RouteCatalog(Claims.self)) == [
                "Claims: \"new\" leads to \"{claim}\", because the child of \"new\" has no empty path: declare "
                    + "nested(…, endsHere: true), or an empty path in the child"
            ])
        enum SoundClaims: DeclaredRoutes {
            case new(Steps?)
            case claim(String)
            static let declaration = RouteDeclaration<Self>(
                .nested("new", Self.new, endsHere: true) { if case .new(let step) = $0 { step } else { nil } },
                .route("{claim}", Self.claim) { if case .claim(let claim) = $0 { claim } else { nil } })
        }
        #expect(faults(routes: RouteCatalog(SoundClaims.self)) == [])
        #expect(SoundClaims.declaration.patterns == ["new", "new/first", "{claim}"])
        let routes = ["/new", "/new/first", "/7"].map { path in
            RoutePath(path).flatMap { SoundClaims.declaration.route(at: $0, in: nil) }
        }
        #expect(routes == [.new(nil), .new(.first), .claim("7")])
    }

    @Test func twoChildrenHaveTwoPaths() {
        enum One: DeclaredRoutes {
            case list
            case item(Int)
            static let declaration = RouteDeclaration<Self>(
                .route("list", .list),
                .route("item/{item}", Self.item) { if case .item(let item) = $0 { item } else { nil } })
        }
        enum Other: DeclaredRoutes {
            case list, more
            static let declaration = RouteDeclaration<Self>(.route("list", .list), .route("more", .more))
        }
        enum Route: DeclaredRoutes {
            case one(One?)
            case other(Other?)
            static let declaration = RouteDeclaration<Self>(
                .nested("", Self.one) { if case .one(let route) = $0 { route } else { nil } },
                .nested("", Self.other) { if case .other(let route) = $0 { route } else { nil } })
        }
        #expect(
            faults(routes: RouteCatalog(Route.self)) == [
                "Route: two cases have the path \"list\", and the second is never reached: change one of them"
            ])
    }
}

private struct ZipCode: PlainValueConvertible, Equatable {
    let digits: String

    static let plainType = PlainType.string
    var plainValue: PlainValue { .string(digits) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> ZipCode {
        let digits = try String.resolve(value, in: dependencies)
        guard digits.count == 4, digits.allSatisfy(\.isNumber) else {
            throw PlainValueError("must have four digits")
        }
        return ZipCode(digits: digits)
    }
}

private struct Fruit: KnownByID, Equatable {
    let id: String

    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Fruit]? {
        (dependencies as? Fruits)?.all
    }
}

private struct Fruits: AppDependenciesProtocol { var all: [Fruit] }

private final class StallCoordinator: Coordinator<ViewController>, HasDependencies { var dependencies: Fruits? }
