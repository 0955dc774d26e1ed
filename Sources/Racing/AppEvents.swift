import Coordinate

/// What happens in this app.
struct AppEvents {
    enum Splash: CoordinateEvents, Equatable {
        case didFinish
    }

    enum Teams: CoordinateEvents, Equatable {
        case didSelect(_ team: Team)
        case setFavorite(_ team: Team)
        case unsetFavorite(_ team: Team)
    }

    enum Drivers: CoordinateEvents, Equatable {
        case didSelect(_ driver: Driver)
        case setFavorite(_ driver: Driver)
        case unsetFavorite(_ driver: Driver)
    }
}

extension AppEvents.Splash: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "splash",
        .event("didFinish", .didFinish)
    )
}

extension AppEvents.Teams: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "teams",
        .event("didSelect", Self.didSelect, "team") { if case .didSelect(let team) = $0 { team } else { nil } },
        .event("setFavorite", Self.setFavorite, "team") { if case .setFavorite(let team) = $0 { team } else { nil } },
        .event("unsetFavorite", Self.unsetFavorite, "team") {
            if case .unsetFavorite(let team) = $0 { team } else { nil }
        }
    )
}

extension AppEvents.Drivers: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "drivers",
        .event("didSelect", Self.didSelect, "driver") {
            if case .didSelect(let driver) = $0 { driver } else { nil }
        },
        .event("setFavorite", Self.setFavorite, "driver") {
            if case .setFavorite(let driver) = $0 { driver } else { nil }
        },
        .event("unsetFavorite", Self.unsetFavorite, "driver") {
            if case .unsetFavorite(let driver) = $0 { driver } else { nil }
        }
    )
}
