import Coordinate

extension Screen.Row {
    /// A team's row: a tap shows the team.
    init(_ team: Team, isFavorite: Bool, delete: Action? = nil) {
        self.init(
            id: team.id, title: team.name, subtitle: team.driverNames, isFavorite: isFavorite,
            action: Action(title: team.name, event: AppEvents.Teams.didSelect(team)), delete: delete)
    }

    /// A driver's row: a tap shows the driver.
    init(_ driver: Driver, isFavorite: Bool, delete: Action? = nil) {
        self.init(
            id: driver.id, title: driver.name, subtitle: driver.teamName, isFavorite: isFavorite,
            action: Action(title: driver.name, event: AppEvents.Drivers.didSelect(driver)), delete: delete)
    }

    /// The row of a result, which has no action. A race has no id, so the row's id is its number.
    init(_ result: RaceResult, number: Int) {
        self.init(
            id: "results/\(number)", title: result.race,
            subtitle: result.position.map { "Place \($0)" } ?? "Not classified")
    }
}
