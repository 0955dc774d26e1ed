import Coordinate

/// A screen that shows what a test wants.
final class FixtureViewController: ViewController {
    var shown: (status: Screen.Status, message: String?, rows: [Screen.Row], actions: [Action]) = (.ready, nil, [], [])
    var shownSections: [Screen.Section] = []
    var shownEmptyText: String?

    override var name: String { "Fixture" }
    override var status: Screen.Status { shown.status }
    override var message: String? { shown.message }
    override var sections: [Screen.Section] { shownSections }
    override var rows: [Screen.Row] { shown.rows }
    override var emptyText: String? { shownEmptyText }
    override var actions: [Action] { shown.actions }
}

extension NavigationState {
    /// The state of an app with one screen.
    static func showing(
        _ title: String? = "Fixture", status: Screen.Status = .ready, message: String? = nil,
        sections: [Screen.Section] = [], rows: [Screen.Row] = [], emptyText: String? = nil, actions: [Action] = []
    ) -> NavigationState {
        let coordinator = Coordinator<FixtureViewController>()
        coordinator.rootViewController.title = title
        coordinator.rootViewController.shown = (status, message, rows, actions)
        coordinator.rootViewController.shownSections = sections
        coordinator.rootViewController.shownEmptyText = emptyText
        coordinator.start()
        return coordinator.navigationState
    }
}

/// The events of the fixture, with fields of every type.
enum FixtureEvents: CoordinateEvents, Equatable {
    case open(String)
    case order(Order)
    case rate(stars: Int, weight: Double?, note: String?, isPublic: Bool, colors: [Color], tags: [String], Secret)

    struct Order: PlainObject, Equatable {
        var id: String

        static let declaration = ObjectDeclaration(Order.init, .field("id", \.id))
    }

    enum Color: String, CaseIterable, PlainValueConvertible {
        case red, green, blue
    }
}

extension FixtureEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "fixture",
        .event("open", Self.open, "id") { if case .open(let id) = $0 { id } else { nil } },
        .event("order", Self.order, "order") { if case .order(let order) = $0 { order } else { nil } },
        .event("rate", Self.rate, "stars", "weight", "note", "isPublic", "colors", "tags", "word") {
            if case .rate(let stars, let weight, let note, let isPublic, let colors, let tags, let word) = $0 {
                (stars, weight, note, isPublic, colors, tags, word)
            } else {
                nil
            }
        }
    )

    static func rate(
        _ stars: Int = 1, note: String? = nil, colors: [Color] = [], tags: [String] = [], word: String = ""
    ) -> FixtureEvents {
        .rate(stars: stars, weight: nil, note: note, isPublic: true, colors: colors, tags: tags, Secret(word))
    }

    /// A form with every kind of field, and an error at one.
    static let form = Action(
        title: "Rate", event: rate(3, colors: [.green], tags: ["a", "b"]),
        inputs: [
            .init("stars", title: "Stars", error: "Give up to five stars."),
            .init("weight", title: "Weight"),
            .init(
                "note", title: "Note",
                choices: [.init("good", title: "Good"), .init("bad", title: "Bad")]),
            .init("isPublic", title: "Public"), .init("colors", title: "Colors"), .init("tags", title: "Tags"),
            .init("word", title: "Password"),
        ])
}
