import Coordinate
import Testing

/// No declaration ends the program: its faults are reported when the app is hosted, or fail the turn in which they
/// matter.
struct DeclarationFaultTests {
    @Test func anAppWithoutFaultsHasNone() {
        #expect(faults(events: EventCatalog(Market.self)).isEmpty)
        #expect(faults(routes: RouteCatalog(ShopRoute.self)).isEmpty)
    }

    // MARK: Events

    @Test func aSecretIsNeitherOptionalNorInAListOfItsOwn() {
        enum Events: DeclaredEvents {
            case maybe(Secret?)
            case many([Secret])
            static let declaration = EventDeclaration<Self>(
                "bad", .event("maybe", Self.maybe, "pin") { if case .maybe(let pin) = $0 { pin } else { nil } },
                .event("many", Self.many, "pins") { if case .many(let pins) = $0 { pins } else { nil } })
        }
        let faults = CoordinateTests.faults(events: EventCatalog(Events.self))
        #expect(faults.count == 2)
        #expect(
            faults.first?.contains("bad.maybe has a field \"pin\" that is a secret, and so cannot be optional") == true)
        #expect(faults.last?.contains("bad.many has a field \"pins\" that is a list of secrets") == true)
    }

    @Test func aSecretThatIsNotMadeOfOneIsTold() {
        #expect(
            faults(events: Vault.self) == [
                "Vault: vault.open has a field \"pin\" that is a secret, but cannot be created from null: "
                    + "create it from a Secret"
            ])
    }

    @Test func anObjectThatHasItselfIsToldAndNotDescribedForEver() {
        enum Talk: DeclaredEvents {
            case post(Comment)
            struct Comment: PlainObject {
                var text: String
                var replies: [Comment]
                static let declaration = ObjectDeclaration(
                    Comment.init, .field("text", \.text), .field("replies", \.replies))
            }
            static let declaration = EventDeclaration<Self>(
                "talk",
                .event("post", Self.post, "comment") { if case .post(let comment) = $0 { comment } else { nil } })
        }
        #expect(
            faults(events: Talk.self) == [
                "Talk: talk.post has a field \"comment\" that has a field \"replies\" that has items, each of which "
                    + "contains itself"
            ])
    }

    @Test func noFieldIsCalledAsTheFieldThatMakesAnAction() {
        enum Calendar: DeclaredEvents {
            case open(String)
            case move([Entry])
            struct Entry: PlainObject {
                var event: String
                static let declaration = ObjectDeclaration(Entry.init, .field("event", \.event))
            }
            static let declaration = EventDeclaration<Self>(
                "calendar",
                .event("open", Self.open, "event") { if case .open(let event) = $0 { event } else { nil } },
                .event("move", Self.move, "entries") { if case .move(let entries) = $0 { entries } else { nil } })
        }
        let reason = "has a field \"event\", which is reserved for the name of the action: rename it"
        #expect(
            faults(events: Calendar.self) == [
                "Calendar: calendar.open \(reason)",
                "Calendar: calendar.move has a field \"entries\" that has items, each of which \(reason)",
            ])
    }

    @Test func twoFieldsHaveTwoNames() {
        enum Events: DeclaredEvents {
            case twice(Int, Int)
            static let declaration = EventDeclaration<Self>(
                "bad",
                .event("twice", Self.twice, "a", "a") { if case .twice(let a, let b) = $0 { (a, b) } else { nil } })
        }
        #expect(faults(events: EventCatalog(Events.self)) == ["Events: bad.twice has two fields \"a\""])
    }

    @Test func twoEventsHaveTwoNames() {
        let catalog = EventCatalog(Market.self, Market.self)
        let name = catalog.entries[0].name
        #expect(faults(events: catalog).first == "two events are called \(name)")
        #expect(catalog.entry(named: name) != nil)
    }

    // MARK: Options

    @Test func noOptionIsASecretAndTwoHaveTwoNames() {
        struct Options: SessionOptions {
            var pin = Secret("")
            var size = 1
            static let declaration = OptionDeclaration<Self>(
                .option("pin", \.pin), .option("size", \.size), .option("size", \.size))
        }
        #expect(
            DeclaringApp(options: Options.self).faults == [
                "Options: the option pin is a secret, and options are recorded", "Options: two options are called size",
            ])
    }

    @Test func anOptionWhoseDefaultNoClientCouldSendIsTold() {
        struct Options: SessionOptions {
            var product = Kiosk.Product(id: 1)
            var factor = Double.nan
            var note: String?
            static let declaration = OptionDeclaration<Self>(
                .option("product", \.product), .option("factor", \.factor), .option("note", \.note))
        }
        #expect(
            DeclaringApp(options: Options.self).faults == [
                "Options: the option product has a default that no client could send: it is not the id of any Product",
                "Options: the option factor has a default that no client could send: it must be a number",
            ])
    }

    // MARK: Routes

    @Test func aPatternIsWellFormedAndHasAPlaceForEachValue() {
        enum Route: DeclaredRoutes {
            case open, place
            case value(String)
            case part(String?)
            static let declaration = RouteDeclaration<Self>(
                .route("open/{again", .open), .route("place/{order}", .place),
                .route("value", Self.value) { if case .value(let text) = $0 { text } else { nil } },
                .route("part/{part}", Self.part) { if case .part(let text) = $0 { text } else { nil } })
        }
        let faults = CoordinateTests.faults(routes: RouteCatalog(Route.self))
        #expect(faults.count == 4)
        #expect(faults.allSatisfy { $0.hasPrefix("Route: ") })
        for (fault, reason) in zip(faults, ["{again is neither", "1 places", "0 places", "optional value outside"]) {
            #expect(fault.contains(reason), "\(fault)")
        }
        for link in ["/open/again", "/place/a", "/value/a", "/value", "/part/a"] {
            #expect(RoutePath(link).flatMap { Route.declaration.route(at: $0, in: nil) } == nil, "\(link)")
        }
    }

    @Test func routesThatLeadOnToThemselvesHaveNoPatterns() {
        indirect enum Folder: DeclaredRoutes {
            case list
            case folder(String, Folder?)
            static let declaration = RouteDeclaration<Self>(
                .route("", .list),
                .nested("folder/{folder}", Self.folder) {
                    if case .folder(let name, let child) = $0 { (name, child) } else { nil }
                })
        }
        let catalog = RouteCatalog(Folder.self)
        #expect(catalog.patterns.isEmpty && Folder.declaration.patterns.isEmpty)
        #expect(faults(routes: catalog) == ["Folder contains itself, so its paths never end"])
    }

    @Test func twoItemsOnOnePathHaveTwoNames() {
        enum Route: DeclaredRoutes {
            case page(Int, OrderRoute?)
            static let declaration = RouteDeclaration<Self>(
                .nested("orders?page={page}", Self.page) {
                    if case .page(let page, let child) = $0 { (page, child) } else { nil }
                })
        }
        let faults = CoordinateTests.faults(routes: RouteCatalog(Route.self))
        #expect(faults.first?.contains("the query has two items page") == true, "\(faults)")
    }

    // MARK: A case that is missing

    @Test func aRouteThatIsMissingFromItsDeclarationFailsTheTurn() {
        let stack = LooseStack()
        #expect(throws: Never.self) { try stack.turn { stack.start() } }
        #expect(stack.path == "/first")
        #expect(throws: Diagnostic.undeclaredRoute("second", of: "LooseStack")) {
            try stack.turn { stack.goTo(.second) }
        }
        #expect(LooseStack.Route.declaration.path(of: .second) == nil)
        #expect(LooseStack.Route.declaration.wholePath(of: .second) == nil)
    }
}

private final class LooseStack: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case first, second

        static let declaration = RouteDeclaration<Self>(.route("first", .first))
    }

    var activeRoute = Route.first

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.first)
    }

    func goTo(_ route: Route) { root(Leaf("\(route)"), for: route) }
}

/// A secret that a turn could read, and that is gone when the turn is taken once more.
private struct Pin: RawRepresentable, PlainValueConvertible, Equatable {
    let rawValue: String

    static let isSecret = true
}

private enum Vault: DeclaredEvents {
    case open(Pin)

    static let declaration = EventDeclaration<Self>(
        "vault", .event("open", Self.open, "pin") { if case .open(let pin) = $0 { pin } else { nil } })
}
