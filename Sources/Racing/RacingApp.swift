public import Coordinate

/// The example app: teams and drivers of a racing season, and a profile with favourites.
public struct RacingApp: CoordinatedApp {
    public let name = "Racing"
    public let version = "1.0"

    public let events = EventCatalog(
        AppEvents.Splash.self, AppEvents.Teams.self, AppEvents.Drivers.self, AppEvents.Comparison.self,
        AppEvents.Profile.self, AppEvents.Results.self)

    public let routes = RouteCatalog(AppCoordinator.Route.self)

    private let season: Season
    private let resultsSource: any ResultsSource

    /// Makes the app.
    ///
    /// - Parameter resultsSource: Where drivers' last results come from; nil for the season's own races.
    public init(season: Season, resultsSource: (any ResultsSource)? = nil) {
        self.season = season
        self.resultsSource = resultsSource ?? SeasonResults(season: season)
    }

    public func makeRootCoordinator(options: RacingOptions) -> CoordinatorNode {
        let root = AppCoordinator()
        root.setDependencies(
            dependencies: AppDependencies(
                dataManager: DataManager(season: season),
                resultsSource: options.liveResults ? resultsSource : nil))
        return root
    }
}
