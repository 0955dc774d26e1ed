public import Coordinate

/// The example app: the teams and drivers of a racing season, and a profile with favorites.
public struct RacingApp: CoordinatedApp {
    public let name = "Racing"
    public let version = "1.0"

    public let events = EventCatalog(
        AppEvents.Splash.self, AppEvents.Teams.self, AppEvents.Drivers.self, AppEvents.Comparison.self,
        AppEvents.Profile.self, AppEvents.Results.self)

    public let routes = RouteCatalog(AppCoordinator.Route.self)

    private let season: Season
    private let resultsSource: any ResultsSource

    /// Creates the app.
    ///
    /// - Parameter resultsSource: The source of drivers' last results; `nil` for the season's own races.
    public init(season: Season, resultsSource: (any ResultsSource)? = nil) {
        self.season = season
        self.resultsSource = resultsSource ?? SeasonResults(season: season)
    }

    public var samples: [Sample] {
        [
            .input("name", of: "profile.rename", "Ada Lovelace"),
            .work("results", [RaceResult(race: "Monaco Grand Prix", position: 2)]),
        ]
    }

    public var invariants: [Invariant] {
        [
            Invariant("the badge of the profile is the number of favorites") { (app: AppCoordinator) in
                let tabs = app.navigationState.tabs
                let count = app.dependencies?.dataManager.favoriteCount ?? 0
                return tabs.isEmpty || tabs.last?.badge == (count > 0 ? String(count) : nil)
            }
        ]
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
