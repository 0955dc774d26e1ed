import Coordinate

/// An app with a list of all that rows can show, and an empty tab beside it.
struct GalleryApp: CoordinatedApp {
    let name = "Gallery"
    let version = "1.0"
    let events = EventCatalog(GalleryEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { GalleryCoordinator() }
}

enum GalleryEvents: CoordinateEvents, Equatable {
    case select(_ id: String)
    case clear
    case keep
}

extension GalleryEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "gallery",
        .event("select", Self.select, "id") { if case .select(let id) = $0 { id } else { nil } },
        .event("clear", .clear),
        .event("keep", .keep)
    )
}

final class GalleryCoordinator: TabBarCoordinator<TabBarController> {
    private let list = PicturesCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        let other = Coordinator<ViewController>()
        list.rootViewController.tabBarItem = TabBarItem(title: "Cars", image: Image(symbol: "car"), tag: 0)
        other.rootViewController.tabBarItem = TabBarItem(title: "Contact", image: nil, tag: 1)
        setCoordinators([list, other])
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? GalleryEvents else { return false }
        if event == .clear { list.rootViewController.isEmpty = true }
        return true
    }
}

final class PicturesCoordinator: Coordinator<PicturesViewController> {}

final class PicturesViewController: ViewController {
    var isEmpty = false

    override var currentTitle: String? { "Cars" }

    override var sections: [Screen.Section] {
        if isEmpty { return [] }
        return [
            .init(id: "red", title: "Red", footer: "Two of them have a color of their own."),
            .init(id: "other", title: "Others"),
        ]
    }

    override var rows: [Screen.Row] {
        if isEmpty { return [] }
        func select(_ id: String) -> Action { Action(title: id, event: GalleryEvents.select(id)) }
        return [
            .init(
                id: "file", title: "A picture", subtitle: "A file of the host",
                image: Image(file: "/favicon.svg", alt: "Three circles"), action: select("file")),
            .init(
                id: "number", title: "Sixteen", image: Image(letters: "16", color: 0xE8_002D, alt: "Number 16"),
                section: "red", action: select("number"), actions: [Action(title: "+", event: GalleryEvents.keep)]),
            .init(
                id: "bright", title: "Bright", value: "4", image: Image(letters: "LN", color: 0xFF_8000),
                section: "red", isFavorite: true),
            .init(id: "symbol", title: "A car", image: Image(symbol: "car", color: 0x27_F4D2), section: "other"),
            .init(id: "plain", title: "Plain", image: Image(letters: "P"), section: "other", action: select("plain")),
        ]
    }

    override var emptyText: String? { "There are no cars." }

    override var actions: [Action] {
        [
            Action(title: "Continue", event: GalleryEvents.keep, role: .primary),
            Action(title: "Share", event: GalleryEvents.keep),
            Action(title: "Delete all", event: GalleryEvents.clear, role: .destructive),
            Action(title: "Not now", event: GalleryEvents.keep, role: .cancel),
        ]
    }
}
