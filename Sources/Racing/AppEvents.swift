import Coordinate

/// The events of this app.
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

    enum Comparison: CoordinateEvents, Equatable {
        case start(_ driver: Driver)
        case choose(_ driver: Driver)
        case finish
    }

    enum Profile: CoordinateEvents, Equatable {
        case edit
        case rename(_ name: ProfileName)
    }

    enum Results: CoordinateEvents, Equatable {
        case didLoad(_ results: LastResults)
        case didFail(_ failure: WorkFailure)
        case reload
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

extension AppEvents.Comparison: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "comparison",
        .event("start", Self.start, "driver") { if case .start(let driver) = $0 { driver } else { nil } },
        .event("choose", Self.choose, "driver") { if case .choose(let driver) = $0 { driver } else { nil } },
        .event("finish", .finish)
    )
}

extension AppEvents.Profile: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "profile",
        .event("edit", .edit),
        .event("rename", Self.rename, "name") { if case .rename(let name) = $0 { name } else { nil } }
    )
}

extension AppEvents.Results: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "results",
        .event("didLoad", Self.didLoad, "results") { if case .didLoad(let results) = $0 { results } else { nil } }
            .appOnly,
        .event("didFail", Self.didFail, "reason") { if case .didFail(let failure) = $0 { failure } else { nil } }
            .appOnly,
        .event("reload", .reload)
    )
}
