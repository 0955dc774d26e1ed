import Coordinate

extension RouteWalk {
    /// A coordinator on the screen, as a value of the picture that was taken of the tree.
    final class Part {
        let id: String
        let type: String
        let title: String
        let kind: CoordinatorKind
        let index: Int?
        let isStarted: Bool
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
            isStarted = node.isStarted
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

        /// Where something is; `nil` if the app has not said it.
        struct Place {
            private(set) var path = ""
            /// The routes on the way, by the ids of the coordinators they are routes of.
            private(set) var routes: [String: String] = [:]
            /// Whether all that leads there was shown for a route, by the coordinator right around it.
            var isExplained = true
            /// Whether something on the way was shown for no route.
            private var isLoose = false
            /// Whether the path has routes of what was shown for none: then no link leads there.
            private(set) var isDeclared = true

            func below(_ route: String, of owner: Part) -> Place {
                var place = self
                place.path += route
                place.routes[owner.id] = route
                if isLoose, !route.isEmpty { place.isDeclared = false }
                return place
            }

            var withoutRoute: Place {
                var place = self
                place.isLoose = true
                place.isExplained = false
                return place
            }

            var full: String { path.isEmpty ? "/" : path }
        }

        var ids: Set<String> { Set(root.all.map(\.id)) }

        /// The screens that cannot be seen: those of other tabs, lower entries of a stack, and what a modal covers.
        var hidden: [Part] {
            let seen = root.chain
            return root.all.filter { part in part.children.isEmpty && !seen.contains { $0 === part } }
        }

        // MARK: Paths

        /// The path of the screen that is seen.
        var path: Place? { path(of: root.chain.last!) }

        /// The path at which something is the leaf.
        func path(of part: Part) -> Place? {
            guard let base = Routes.base(of: part.type), part.child == nil else { return place(of: part) }
            return part.kind == .leaf ? place(of: part)?.below(base, of: part) : nil
        }

        /// The path to something, without its own routes.
        func place(of part: Part) -> Place? {
            if let presenter = part.presenter {
                guard let owner = parts[part.ownerID], let route = Routes.route(of: part.title, in: owner.type) else {
                    return path(of: beneath(presenter))?.withoutRoute
                }
                var place = place(of: owner)?.below(route, of: owner)
                if owner !== presenter { place?.isExplained = false }
                return place
            }
            guard let parent = part.parent else { return Place() }
            let place = place(of: parent)
            guard Routes.base(of: parent.type) != nil else {
                return part.title == "Loose Cart" ? place : place?.withoutRoute
            }
            if let route = Routes.route(of: part.title, in: parent.type) { return place?.below(route, of: parent) }
            let below = parent.kind == .navigation ? parent.children.prefix { $0 !== part } : []
            let route = below.compactMap { Routes.route(of: $0.title, in: parent.type) }.last
            return route.flatMap { place?.below($0, of: parent).withoutRoute }
        }

        /// The screen that is seen where nothing is on top of a coordinator.
        private func beneath(_ presenter: Part) -> Part { presenter.child?.chain.last ?? presenter }

        // MARK: What else says it

        /// The route that a coordinator which can be seen has, `nil` if something else hides it.
        func route(of part: Part) -> String? {
            guard let base = Routes.base(of: part.type) else { return "" }
            guard let place = path else { return nil }
            if let route = place.routes[part.id] { return route }
            if part.chain.contains(where: { $0.presenter != nil }) { return nil }
            if part.kind == .leaf { return base }
            let shown = part.kind == .navigation ? part.children : part.child.map { [$0] } ?? []
            return shown.compactMap { Routes.route(of: $0.title, in: part.type) }.last
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
            guard let presented = part.presented else { return crumbs }
            // A guard may have ended the screen below the modal.
            if crumbs.last?.part.isStarted == false { crumbs.removeLast() }
            return crumbs + self.crumbs(of: presented)
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

        /// The route that something stands for, by what it says at its top; `nil` if it was shown for none.
        static func route(of title: String, in type: String) -> String? {
            let words = title.split(separator: " ")
            guard let word = words.first.map(String.init), shown[type]?.contains(word) == true else { return nil }
            switch word {
            case "List", "Cover": return ""
            case "Result": return "/compare/\(words[1])"
            default: return "/" + words.joined(separator: "/").lowercased()
            }
        }

        /// The route of a coordinator with nothing shown in it; `nil` if it has no routes.
        static func base(of type: String) -> String? { shown[type] == nil ? nil : "" }

        /// The path to which a guard leads, and whether the guard parks the link; `nil` if all guards grant it.
        static func refusal(of path: String, in world: World) -> (path: String, isParking: Bool)? {
            guard world.hasGuards else { return nil }
            func begins(_ prefix: String) -> Bool { path == prefix || path.hasPrefix(prefix + "/") }
            guard world.isLoggedIn else {
                if begins("/main/desk") || begins("/wizard") { return ("/login", true) }
                return begins("/panel") ? ("/splash", false) : nil
            }
            if begins("/login") { return ("/main/shelf", false) }
            return !world.hasKey && begins("/main/desk/draft") ? ("/main/desk", begins("/main/desk/draft/1")) : nil
        }

        /// The path to which a link leads after guards and redirects.
        static func end(of path: String, in world: World) -> String {
            let led = [
                "/main/shelf/item/6": "/main/shelf/item/0", "/main/shelf/item/7": "/main/shelf/item/1",
                "/main/shelf/item/8": "/main/shelf/item/2", "/main/shelf/item/9": "/main/shelf",
                "/wizard/step/2": "/wizard/step/0", "/wizard/step/3": "/wizard/step/1",
            ]
            guard let next = refusal(of: path, in: world)?.path ?? led[path] else { return path }
            return end(of: next, in: world)
        }
    }
}
