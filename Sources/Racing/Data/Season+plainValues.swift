import Coordinate

extension Team: KnownByID {
    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Team]? {
        (dependencies as? AppDependencies)?.dataManager.season.teams
    }

    static func known(by id: String, in dependencies: (any AppDependenciesProtocol)?) -> Team? {
        (dependencies as? AppDependencies)?.dataManager.season.team(withID: id)
    }
}

extension Driver: KnownByID {
    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Driver]? {
        (dependencies as? AppDependencies)?.dataManager.season.drivers
    }

    static func known(by id: String, in dependencies: (any AppDependenciesProtocol)?) -> Driver? {
        (dependencies as? AppDependencies)?.dataManager.season.driver(withID: id)
    }
}
