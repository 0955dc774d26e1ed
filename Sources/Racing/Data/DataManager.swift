/// The data of one session: the season, which all sessions share, and the session's own favorites.
final class DataManager {
    let season: Season
    private(set) var profileName: ProfileName

    /// The favorite teams, in the order of choice.
    private(set) var favoriteTeams: [Team] = []
    /// The favorite drivers, in the order of choice.
    private(set) var favoriteDrivers: [Driver] = []

    init(season: Season) {
        self.season = season
        profileName = season.profileName
    }

    var favoriteCount: Int { favoriteTeams.count + favoriteDrivers.count }

    func isFavorite(_ team: Team) -> Bool { favoriteTeams.contains(team) }
    func isFavorite(_ driver: Driver) -> Bool { favoriteDrivers.contains(driver) }

    func rename(to name: ProfileName) {
        profileName = name
    }

    func setFavorite(_ team: Team) {
        if !isFavorite(team) { favoriteTeams.append(team) }
    }

    func setFavorite(_ driver: Driver) {
        if !isFavorite(driver) { favoriteDrivers.append(driver) }
    }

    func unsetFavorite(_ team: Team) {
        favoriteTeams.removeAll { $0 == team }
    }

    func unsetFavorite(_ driver: Driver) {
        favoriteDrivers.removeAll { $0 == driver }
    }
}
