import Coordinate

extension RouteWalk {
    /// What a picture of the tree says, compared with what the screen says.
    enum Checks {
        static func difference(between state: NavigationState, and model: Model) -> String? {
            let chain = model.root.chain
            if state.leaf != chain.last?.id { return "the leaf is \(state.leaf)" }
            for part in chain {
                guard let route = model.route(of: part) else { continue }
                let real = part.route.map { "/\($0)" } ?? ""
                if real != route { return "the route of \(part.id) is \(real), not \(route)" }
            }
            if let place = model.path, state.path != place.full {
                return "the path is \(state.path), not \(place.full)"
            }
            let crumbs = model.crumbs(of: model.root)
            if crumbs.map(\.title) != state.breadcrumbs.map(\.title) {
                return "the breadcrumbs are \(state.breadcrumbs.map(\.title)), not \(crumbs.map(\.title))"
            }
            for (crumb, real) in zip(crumbs, state.breadcrumbs) {
                guard let place = crumb.place, real.path != place.full else { continue }
                return "the path of breadcrumb \(crumb.title) is \(real.path), not \(place.full)"
            }
            if state.breadcrumbs.last?.path != state.path { return "the last breadcrumb is not the leaf" }
            return nil
        }
    }

    /// Where links lead in a fresh tree of the same data, each tried once.
    final class Links {
        private var ends: [String: End] = [:]
        /// How often things of some kind happened in the walks that share this.
        var counts: [String: Int] = [:]

        struct End {
            let path: String
            let chain: [String]
        }

        func end(of path: String, in world: World) -> End {
            let key = "\(path) \(world.hasGuards) \(world.isLoggedIn) \(world.hasKey) \(world.style)"
            if let end = ends[key] { return end }
            let fresh = World(seed: 1, style: world.style)
            fresh.hasGuards = world.hasGuards
            fresh.isLoggedIn = world.isLoggedIn
            fresh.hasKey = world.hasKey
            let home = Home(fresh)
            let isOpened = try? home.turn {
                home.start()
                return home.visibleLeaf.emitEvent(NavigationEvents.open(path)).isHandled
            }
            let state = home.navigationState
            let end = End(path: isOpened == true ? state.path : "nowhere", chain: Self.chain(of: state))
            home.stop()
            ends[key] = end
            return end
        }

        static func chain(of state: NavigationState) -> [String] {
            Part(state.tree).chain.map { "\($0.type) \($0.title)" }
        }

        /// The first path shown that does not lead where it says.
        func fault(of model: Model, in world: World) -> String? {
            let chain = model.root.chain
            if let place = model.path, place.isDeclared {
                let path = place.full
                let end = end(of: path, in: world)
                if end.path != Routes.end(of: path, in: world) { return "\(path) leads to \(end.path)" }
                if place.isExplained, end.path == path, chain.last?.kind == .leaf,
                    end.chain != chain.map({ "\($0.type) \($0.title)" })
                {
                    return "\(path) leads to \(end.chain)"
                }
            }
            for crumb in model.crumbs(of: model.root) {
                guard let place = crumb.place, place.isDeclared else { continue }
                let path = place.full
                let end = end(of: path, in: world)
                if end.path != Routes.end(of: path, in: world) { return "breadcrumb \(path) leads to \(end.path)" }
                let title = "\(crumb.part.type) \(crumb.title)"
                if place.isExplained, end.path == path, !end.chain.contains(title) {
                    return "breadcrumb \(path) leads to \(end.chain)"
                }
            }
            return nil
        }
    }
}
