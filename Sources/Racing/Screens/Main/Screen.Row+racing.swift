import Coordinate

extension Screen.Row {
    /// A team's row: a tap shows the team.
    ///
    /// - Parameter opens: The team's path, if the stack has nothing but the list. Elsewhere, Back would lead to another
    ///   screen after a link than after a tap.
    init(_ team: Team, in section: String? = nil, isFavorite: Bool, opens: String? = nil, delete: Action? = nil) {
        self.init(
            id: team.id, title: team.name, subtitle: team.driverNames, image: team.image, section: section,
            isFavorite: isFavorite,
            action: Action(title: team.name, event: AppEvents.Teams.didSelect(team), opens: opens), delete: delete)
    }

    /// A driver's row: a tap shows the driver.
    ///
    /// - Parameter opens: The driver's path, if the stack has nothing but the list.
    init(_ driver: Driver, in section: String? = nil, isFavorite: Bool, opens: String? = nil, delete: Action? = nil) {
        self.init(
            id: driver.id, title: driver.name, subtitle: driver.teamName, image: driver.image, section: section,
            isFavorite: isFavorite,
            action: Action(title: driver.name, event: AppEvents.Drivers.didSelect(driver), opens: opens),
            delete: delete)
    }

    /// The row of a result, which has no action. A race has no id, so the row's id is its number.
    init(_ result: RaceResult, in section: String, number: Int) {
        self.init(
            id: "results/\(number)", title: result.race,
            subtitle: result.position.map { "Place \($0)" } ?? "Not classified", section: section)
    }
}
