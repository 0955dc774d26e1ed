import Coordinate
import Testing

/// What a migration can do with an event that another version of the app recorded.
struct RecordedEventTests {
    @Test func anEventIsRenamedOrLeftOut() {
        var event = RecordedEvent.make("teams.didSelect", ["team": .string("ferrari")])
        #expect(event.emissions == [.make("teams.didSelect", ["team": .string("ferrari")])])
        #expect(!event.acceptsDifferences)
        event.rename("teams.didSelect", to: "teams.didOpen")
        #expect(event.emissions == [.make("teams.didOpen", ["team": .string("ferrari")])])
        event.drop("teams.didOpen")
        #expect(event.emissions == [])
        #expect(event.path == "/main/teams")
    }

    @Test func othersTakeThePlaceOfAnEvent() {
        var event = RecordedEvent.make("cart.didBuy", ["item": .string("tea")])
        event.split("cart.didBuy") { bought in
            var added = bought
            added.name = "cart.didAdd"
            return [added, .init(name: "cart.didPay", payload: .object([]), at: "Shop")]
        }
        #expect(event.emissions == [.make("cart.didAdd", ["item": .string("tea")]), .make("cart.didPay", at: "Shop")])
    }

    @Test func whatAnEventWasSplitIntoCanBeSplitAgain() {
        var event = RecordedEvent.make("a.a")
        event.split("a.a") { _ in [.make("b.b"), .make("c.c")] }
        event.split("c.c") { _ in [.make("d.d"), .make("e.e")] }
        event.drop("d.d")
        #expect(event.emissions.map(\.name) == ["b.b", "e.e"])
    }

    @Test func anOtherEventIsLeftAlone() {
        var event = RecordedEvent.make("teams.didSelect", ["team": .string("ferrari")])
        let recorded = event
        event.rename("teams.didselect", to: "teams.didOpen")
        event.drop("teams")
        event.split("didSelect") { _ in [] }
        event.fill("team", of: "drivers.didSelect", with: .string("haas"))
        event.renameCoordinator("TeamsCoordinato", to: "ListCoordinator")
        #expect(event == recorded)
    }

    // MARK: Fields

    @Test func aNewFieldIsFilledInAfterThoseThatAreThere() {
        var event = RecordedEvent.make("cart.didAdd", ["item": .string("tea")])
        event.fill("currency", of: "cart.didAdd", with: .string("EUR"))
        let fields = [PlainField("item", .string("tea")), PlainField("currency", .string("EUR"))]
        #expect(event.emissions[0].payload == .object(fields))
    }

    @Test(arguments: [PlainValue.string("CHF"), .null]) func aFieldThatHasAValueKeepsIt(value: PlainValue) {
        var event = RecordedEvent.make("cart.didAdd", ["currency": value])
        event.fill("currency", of: "cart.didAdd", with: .string("EUR"))
        #expect(event.emissions[0].payload == .object([PlainField("currency", value)]))
    }

    // MARK: Coordinators

    private static let ids = [
        ("TeamsListCoordinator", "TeamsOverviewCoordinator"),
        ("App/TeamsListCoordinator", "App/TeamsOverviewCoordinator"),
        ("App/TeamsListCoordinator/Leaf", "App/TeamsOverviewCoordinator/Leaf"),
        ("App/TeamsListCoordinator-2", "App/TeamsOverviewCoordinator-2"),
        ("App/TeamsListCoordinator-12/Leaf-3", "App/TeamsOverviewCoordinator-12/Leaf-3"),
        ("TeamsListCoordinator/TeamsListCoordinator-2", "TeamsOverviewCoordinator/TeamsOverviewCoordinator-2"),
        ("App/TeamsListCoordinatorX", "App/TeamsListCoordinatorX"),
        ("App/TeamsListCoordinator-X", "App/TeamsListCoordinator-X"),
        ("App/TeamsListCoordinator-", "App/TeamsListCoordinator-"),
        ("App/MyTeamsListCoordinator", "App/MyTeamsListCoordinator"), ("App/TeamsList", "App/TeamsList"),
    ]

    @Test(arguments: ids)
    func aCoordinatorGetsItsNewIdentifierWhereverAnIDSaysIt(recorded: String, now: String) {
        var event = RecordedEvent.make("teams.didSelect", at: recorded, handledBy: recorded)
        event.split("teams.didSelect") { [$0, $0] }
        event.renameCoordinator("TeamsListCoordinator", to: "TeamsOverviewCoordinator")
        #expect(event.emissions.map(\.at) == [now, now])
        #expect(event.handledBy == now)
    }

    @Test func anEventThatNobodyHandledIsStillHandledByNobody() {
        var event = RecordedEvent.make("teams.didSelect", handledBy: nil)
        event.renameCoordinator("TeamsCoordinator", to: "ListCoordinator")
        #expect(event.handledBy == nil)
    }

    @Test(arguments: [("navigation.selectTab", "ListCoordinator"), ("teams.didSelect", "TeamsCoordinator")])
    func aTabThatWasSelectedGetsItsNewIdentifierAndAFieldOfTheAppNone(name: String, tab: String) {
        var event = RecordedEvent.make(name, ["tab": .string("TeamsCoordinator")])
        event.renameCoordinator("TeamsCoordinator", to: "ListCoordinator")
        #expect(event.emissions[0].payload == .object([PlainField("tab", .string(tab))]))
    }

    // MARK: Versions

    private static let versions: [(recorded: String, version: String, isBefore: Bool)] = [
        ("1.9", "1.10", true), ("1.10", "1.9", false),
        ("1.0", "1.0", false), ("1.01", "1.1", false), ("1.1", "1.01", false),
        ("1.0", "1.0.1", true), ("1.0.1", "1.0", false),
        ("1", "2.0", true), ("2.0", "1", false), ("9", "10", true),
        ("1.0.9", "1.1", true), ("1.1", "1.0.9", false),
        ("1.0-alpha", "1.0-beta", true), ("1.0-beta", "1.0-alpha", false),
        ("spring", "summer", true), ("summer", "spring", false), ("spring", "spring", false),
        ("1.x", "1.y", true), ("", "1", true), ("1", "", false), ("", "", false),
    ]

    @Test(arguments: versions)
    func versionsAreComparedPartByPartAsNumbersWhereTheyAre(recorded: String, version: String, isBefore: Bool) {
        #expect(RecordedEvent.make("a.a", appVersion: recorded).isRecorded(before: version) == isBefore)
    }
}

extension RecordedEvent {
    fileprivate static func make(
        _ name: String, _ payload: KeyValuePairs<String, PlainValue> = [:], at: String = "App/TeamsCoordinator",
        handledBy: String? = "App", appVersion: String = "1.0"
    ) -> RecordedEvent {
        RecordedEvent(
            version: 4, appVersion: appVersion, event: .make(name, payload, at: at), isHandled: handledBy != nil,
            handledBy: handledBy, path: "/main/teams")
    }
}

extension RecordedEvent.Emission {
    fileprivate static func make(
        _ name: String, _ payload: KeyValuePairs<String, PlainValue> = [:], at: String = "App/TeamsCoordinator"
    ) -> RecordedEvent.Emission {
        RecordedEvent.Emission(name: name, payload: .object(payload.map { PlainField($0.key, $0.value) }), at: at)
    }
}
