extension RouteDocument {
    /// Creates the document of a session's current state.
    init(_ session: Session, in season: Season) {
        self.session = session.id
        version = session.version
        path = session.place.path
        leaf = session.place.leaf
        pending = []
        let favorites = session.favoriteTeams
        let badge = favorites.isEmpty ? nil : "\(favorites.count)"
        switch session.place {
        case .splash:
            breadcrumbs = []
            screen = Screen(
                name: "Splash", title: "Racing", rows: [],
                actions: [Action(title: "Continue", event: "splash.didFinish", payload: [:])])
            navigation = Navigation(tabs: [])
        case .teams:
            breadcrumbs = [Breadcrumb(title: "Teams", path: path)]
            screen = Screen(
                name: "TeamsList", title: "Teams",
                rows: season.teams.map { team in
                    Row(
                        id: team.id, title: team.name, image: Image(symbol: "car", color: team.color),
                        favorite: favorites.contains(team.id),
                        action: Action(
                            title: team.name, event: "teams.didSelect", payload: ["team": team.id],
                            opens: "/main/teams/team/\(team.id)"))
                }, actions: [])
            navigation = Navigation(tabs: Self.tabs(badge: badge))
        case .team(let id):
            let team = season.team(id)
            let name = team?.name ?? id
            breadcrumbs = [Breadcrumb(title: "Teams", path: "/main/teams"), Breadcrumb(title: name, path: path)]
            let isFavorite = favorites.contains(id)
            let drivers = team.map { season.drivers(of: $0) } ?? []
            screen = Screen(
                name: "TeamsDetails", title: name,
                rows: drivers.map { driver in
                    Row(
                        id: driver.id, title: driver.name, subtitle: name,
                        image: Image(
                            letters: "\(driver.number)", color: team?.color, alt: "Number \(driver.number)"),
                        favorite: false,
                        action: Action(title: driver.name, event: "drivers.didSelect", payload: ["driver": driver.id]))
                },
                actions: [
                    Action(
                        title: isFavorite ? "Remove from favorites" : "Add to favorites",
                        event: isFavorite ? "teams.unsetFavorite" : "teams.setFavorite", payload: ["team": id])
                ])
            navigation = Navigation(
                back: Action(title: "Teams", event: "navigation.back", payload: [:]), tabs: Self.tabs(badge: badge))
        }
        tree = Self.tree(of: session.place, title: screen.title, badge: badge)
    }

    private static func tabs(badge: String?) -> [Tab] {
        [("Teams", "car"), ("Drivers", "people"), ("Profile", "person")].map { title, symbol in
            Tab(
                title: title, badge: title == "Profile" ? badge : nil, image: Image(symbol: symbol),
                selected: title == "Teams",
                action: Action(
                    title: title, event: "navigation.selectTab", payload: ["tab": "\(title)Coordinator"],
                    opens: "/main/\(title.lowercased())"))
        }
    }

    /// The containers and screens of a place, from the outermost one.
    private static func tree(of place: Session.Place, title: String, badge: String?) -> Node {
        let app = "AppCoordinator"
        let main = "\(app)/MainCoordinator"
        let teams = "\(main)/TeamsCoordinator"
        let child: Node
        switch place {
        case .splash:
            child = Node(id: place.leaf, coordinator: "SplashCoordinator", kind: "leaf", title: title)
        case .teams, .team:
            var screens = [
                Node(
                    id: "\(teams)/TeamsListCoordinator", coordinator: "TeamsListCoordinator", kind: "leaf",
                    title: "Teams")
            ]
            if case .team = place {
                screens.append(
                    Node(id: place.leaf, coordinator: "TeamsDetailsCoordinator", kind: "leaf", title: title))
            }
            child = Node(
                id: main, coordinator: "MainCoordinator", kind: "tabBar", route: "teams", index: 0,
                children: [
                    Node(
                        id: teams, coordinator: "TeamsCoordinator", kind: "navigation", title: "Teams",
                        route: place.lastRoute, index: screens.count - 1, children: screens),
                    Node(
                        id: "\(main)/DriversCoordinator", coordinator: "DriversCoordinator", kind: "navigation",
                        started: false, title: "Drivers"),
                    Node(
                        id: "\(main)/ProfileCoordinator", coordinator: "ProfileCoordinator", kind: "leaf",
                        started: false, title: "Profile", badge: badge),
                ])
        }
        return Node(
            id: app, coordinator: app, kind: "container", route: "main", index: 0, children: [child])
    }
}

extension Outcome {
    init(of event: Event, from before: Session, to after: Session, route: RouteDocument?) {
        version = after.version
        self.event = event.event
        var names = before.place.leaf.split(separator: "/")
        var steps: [Step] = []
        while names.count > 2 {
            steps.append(Step(coordinator: names.joined(separator: "/"), intercepted: false))
            names.removeLast()
        }
        handledBy = names.joined(separator: "/")
        trace = steps + [Step(coordinator: handledBy, intercepted: true)]
        path = after.place.path
        leaf = after.place.leaf
        self.route = route
    }
}

extension Session.Place {
    fileprivate var path: String {
        switch self {
        case .splash: "/splash"
        case .teams: "/main/teams"
        case .team(let id): "/main/teams/team/\(id)"
        }
    }

    fileprivate var leaf: String {
        let teams = "AppCoordinator/MainCoordinator/TeamsCoordinator"
        return switch self {
        case .splash: "AppCoordinator/SplashCoordinator"
        case .teams: "\(teams)/TeamsListCoordinator"
        case .team: "\(teams)/TeamsDetailsCoordinator"
        }
    }

    /// The last part of its path, after the list of teams.
    fileprivate var lastRoute: String? {
        if case .team(let id) = self { "team/\(id)" } else { nil }
    }
}
