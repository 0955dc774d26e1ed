import Coordinate

/// Two shelves as tabs, with modals of the tab bar and of each shelf on top of each other.
final class TwoShelves: Tabs, HasRoutes {
    enum Route: DeclaredRoutes {
        case left(Shelf.Route?)
        case right(Shelf.Route?)
        case help

        static let declaration = RouteDeclaration<Self>(
            .nested("left", Self.left) { if case .left(let route) = $0 { route } else { nil } },
            .nested("right", Self.right) { if case .right(let route) = $0 { route } else { nil } },
            .route("help", .help))
    }

    var activeRoute: Route = .left(nil)
    let left = Shelf("Left")
    let right = Shelf("Right")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(left, .left(nil)), (right, .right(nil))])
    }

    /// What a tap on a tab does, instead of selecting it.
    var onTap: (() -> Void)?

    override func tabTapped(for coordinator: any Coordinating) {
        onTap?() ?? super.tabTapped(for: coordinator)
    }

    func goTo(_ route: Route) {
        switch route {
        case .left(let route):
            left.goToOnceStarted(route)
            select(left)
        case .right(let route):
            right.goToOnceStarted(route)
            select(right)
        case .help: present(Leaf("Help"), for: .help)
        }
    }

    final class Shelf: Stack, StartsAtItsRoute {
        enum Route: DeclaredRoutes {
            case list, edit
            case item(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("", .list), .route("edit", .edit),
                .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } }
            )
        }

        var activeRoute: Route = .list
        let list = Form("List")

        func goTo(_ route: Route) {
            root(list, for: .list)
            switch route {
            case .list: break
            case .item(let number): show(Form("Item \(number)"), for: route)
            case .edit: present(Form("Edit"), for: .edit)
            }
        }
    }

    /// A screen that asks before it is left with changes.
    final class Form: Leaf {
        var hasChanges = false
        var saved = false

        static func changed(_ name: String) -> Form {
            let form = Form(name)
            form.hasChanges = true
            return form
        }

        override func alertBeforeLeaving() -> Alert? {
            guard hasChanges else { return nil }
            return Alert(
                title: "Discard changes?", message: "They are not saved.",
                choices: [
                    .discard("Discard"), .stay("Keep editing"),
                    Alert.Choice("save", title: "Save", leaves: true) { [unowned self] in saved = true },
                    Alert.Choice("close", title: "Close", leaves: true) { [unowned self] in stop() },
                ])
        }
    }
}
