import Coordinate

struct Team: Equatable {
    let name: String
}

class DataManager {
    let teams = ["Alpine", "Ferrari", "McLaren"].map { Team(name: $0) }
    var favorites: [Team] = []
    var userName = "Ambassador"
}

struct AppDependencies: AppDependenciesProtocol {
    let dataManager: DataManager

    init(dataManager: DataManager = DataManager()) {
        self.dataManager = dataManager
    }
}
