public import Coordinate

/// The example app: teams and drivers of a racing season, and a profile with favourites.
public struct RacingApp: CoordinatedApp {
    public let name = "Racing"
    public let version = "1.0"

    public let events = EventCatalog(
        AppEvents.Splash.self, AppEvents.Teams.self, AppEvents.Drivers.self, AppEvents.Comparison.self,
        AppEvents.Profile.self)

    public let routes = RouteCatalog(AppCoordinator.Route.self)

    public let coordinators: [CoordinatorNode.Type] = [
        AppCoordinator.self, SplashCoordinator.self, MainCoordinator.self,
        TeamsCoordinator.self, TeamsListCoordinator.self, TeamsDetailsCoordinator.self,
        DriversCoordinator.self, DriversListCoordinator.self, DriversDetailsCoordinator.self,
        ComparisonCoordinator.self, ComparisonResultCoordinator.self,
        ProfileCoordinator.self, ProfileEditorCoordinator.self,
    ]

    private let season: Season

    public init(season: Season) {
        self.season = season
    }

    public func makeRootCoordinator() -> CoordinatorNode {
        let root = AppCoordinator()
        root.setDependencies(dependencies: AppDependencies(dataManager: DataManager(season: season)))
        return root
    }
}
