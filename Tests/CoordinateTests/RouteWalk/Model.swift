import Coordinate

extension RouteWalk {
    /// A coordinator on the screen, as a value of the picture that was taken of the tree.
    final class Part {
        let id: String
        let type: String
        let title: String
        let kind: CoordinatorKind
        let index: Int?
        let route: String?
        private(set) var children: [Part] = []
        private(set) var presented: Part?
        private(set) unowned var parent: Part?
        private(set) unowned var presenter: Part?

        init(_ node: NavigationState.Node) {
            id = node.id
            type = node.coordinator
            title = node.title ?? ""
            kind = node.kind
            index = node.index
            route = node.route?.description
            children = node.children.map(Part.init)
            presented = node.presented.first.map(Part.init)
            for child in children { child.parent = self }
            presented?.presenter = self
        }

        var next: Part? { presented ?? child }
        var child: Part? { index.map { children[$0] } }
        var chain: [Part] { Array(sequence(first: self, next: \.next)) }
        var all: [Part] { [self] + (children + (presented.map { [$0] } ?? [])).flatMap(\.all) }
        var ownerID: Substring { id[..<(id.lastIndex(of: "/") ?? id.startIndex)] }
    }

    /// What the screen says about the routes: of each thing on it can be seen what it is, and so where it is.
    struct Model {
        let root: Part
        private let parts: [Substring: Part]

        init(_ state: NavigationState) {
            root = Part(state.tree)
            parts = Dictionary(root.all.map { (Substring($0.id), $0) }) { first, _ in first }
        }

        /// Where something is; nil where the app has not said it.
        struct Place: Equatable {
            var path: String
            /// Whether all that leads there was shown for a route, by whoever is right around it.
            var isExplained: Bool
        }

        // MARK: Paths

        /// The path of the screen that is seen.
        var path: Place? { path(of: root.chain.last!) }

        /// The path at which something is the leaf.
        func path(of part: Part) -> Place? {
            guard var place = place(of: part) else { return nil }
            if let base = Routes.base(of: part.type) {
                guard part.child == nil, part.kind == .leaf else { return part.child == nil ? nil : place }
                place.path += base
            }
            return place
        }

        /// The path to something, without its own routes.
        func place(of part: Part) -> Place? {
            if let presenter = part.presenter {
                guard let owner = parts[part.ownerID], let route = Routes.route(of: part.title, in: owner.type) else {
                    return path(of: beneath(presenter)).map { Place(path: $0.path, isExplained: false) }
                }
                guard var place = place(of: owner) else { return nil }
                place.path += route
                if owner !== presenter { place.isExplained = false }
                return place
            }
            guard let parent = part.parent else { return Place(path: "", isExplained: true) }
            guard var place = place(of: parent), Routes.base(of: parent.type) != nil else { return place(of: parent) }
            if let route = Routes.route(of: part.title, in: parent.type) {
                place.path += route
                return place
            }
            guard parent.kind == .navigation,
                let route = parent.children.prefix(while: { $0 !== part })
                    .compactMap({ Routes.route(of: $0.title, in: parent.type) }).last
            else { return nil }
            return Place(path: place.path + route, isExplained: false)
        }

        /// The screen that is seen where nothing is on top of a coordinator.
        private func beneath(_ presenter: Part) -> Part { presenter.child?.chain.last ?? presenter }

        // MARK: What else says it

        /// The route that a coordinator which can be seen has, nil where it has none or nothing says it.
        func route(of part: Part) -> String?? {
            guard let base = Routes.base(of: part.type) else { return .some(nil) }
            let modals = part.chain.dropFirst().filter { $0.presenter != nil && $0.ownerID == part.id }
            let modal = modals.compactMap { Routes.route(of: $0.title, in: part.type) }.last
            if let modal { return .some(modal.isEmpty ? nil : modal) }
            guard part.kind != .leaf else { return .some(base.isEmpty ? nil : base) }
            let shown = part.kind == .navigation ? part.children : part.child.map { [$0] } ?? []
            guard let route = shown.compactMap({ Routes.route(of: $0.title, in: part.type) }).last else { return nil }
            return .some(route.isEmpty ? nil : route)
        }

        struct Crumb {
            let title: String
            let part: Part
            let place: Place?
        }

        func crumbs(of part: Part) -> [Crumb] {
            var crumbs: [Crumb] = []
            if let index = part.index {
                if part.kind == .navigation {
                    for covered in part.children[..<index] {
                        crumbs.append(Crumb(title: covered.title, part: covered, place: place(of: covered)))
                    }
                }
                crumbs += self.crumbs(of: part.children[index])
            } else {
                crumbs.append(Crumb(title: part.title, part: part, place: path(of: part)))
            }
            return crumbs + (part.presented.map { self.crumbs(of: $0) } ?? [])
        }
    }

    /// What the app declares, once more.
    enum Routes {
        private static let shown: [String: Set<String>] = [
            "Home": ["Splash", "Login", "Main", "Wizard", "Help", "Panel"],
            "Main": ["Shelf", "Desk", "Me", "About"],
            "Shelf": ["List", "Item", "Folder", "Edit", "Sheet", "Checkout", "Pick"],
            "Folder": ["Cover", "Page"], "Sheet": ["Cover", "Page"],
            "Desk": ["List", "Compare", "Result", "Draft"],
            "Me": ["Edit", "Pick", "Sheet"], "Panel": ["Left", "Right"], "Wizard": ["Step"],
        ]

        /// The route that something stands for, by what it says at its top; nil where it was shown for none.
        static func route(of title: String, in type: String) -> String? {
            let words = title.split(separator: " ")
            guard let word = words.first.map(String.init), shown[type]?.contains(word) == true else { return nil }
            switch word {
            case "List", "Cover": return ""
            case "Result": return "/compare/\(words[1])"
            default: return "/" + words.joined(separator: "/").lowercased()
            }
        }

        /// The route of a coordinator with nothing shown in it; nil where it has no routes.
        static func base(of type: String) -> String? { shown[type] == nil ? nil : "" }

        /// Where a link leads, with what guards and redirects make of it.
        static func end(of path: String, in world: World) -> String {
            let isLoggedIn = world.isLoggedIn || !world.hasGuards
            let next =
                switch path {
                case _ where !isLoggedIn && (path.hasPrefix("/main/desk") || path.hasPrefix("/wizard")): "/login"
                case _ where !isLoggedIn && path.hasPrefix("/panel"): "/splash"
                case "/login" where world.hasGuards && isLoggedIn: "/main/shelf"
                case _ where world.hasGuards && !world.hasKey && path.hasPrefix("/main/desk/draft"): "/main/desk"
                case "/main/shelf/item/6": "/main/shelf/item/0"
                case "/main/shelf/item/7": "/main/shelf/item/1"
                case "/main/shelf/item/8": "/main/shelf/item/2"
                case "/main/shelf/item/9": "/main/shelf"
                case "/wizard/step/2": "/wizard/step/0"
                case "/wizard/step/3": "/wizard/step/1"
                default: path
                }
            return next == path ? path : end(of: next, in: world)
        }
    }
}
