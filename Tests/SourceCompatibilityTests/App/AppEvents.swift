import Coordinate

struct AppEvents {
    enum Splash: CoordinateEvents {
        case willLeaveSplash
    }

    enum Teams: CoordinateEvents {
        case willShowTeam(_ team: Team)
        case setFavorite(_ team: Team)
        case removeFavorite(_ team: Team)
    }

    enum Profile: CoordinateEvents {
        case willEdit
        case didEdit(name: String)
    }
}
