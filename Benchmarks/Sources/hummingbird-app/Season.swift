/// The teams and drivers of `config/racing.json`.
struct Season: Decodable {
    struct Team: Decodable {
        let id: String
        let name: String
        let color: String
        let drivers: [String]
    }

    struct Driver: Decodable {
        let id: String
        let name: String
        let number: Int
    }

    let teams: [Team]
    private let teamsByID: [String: Team]
    private let driversByID: [String: Driver]

    private enum CodingKeys: CodingKey {
        case teams
        case drivers
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        teams = try container.decode([Team].self, forKey: .teams)
        teamsByID = Dictionary(teams.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let drivers = try container.decode([Driver].self, forKey: .drivers)
        driversByID = Dictionary(drivers.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    func team(_ id: String) -> Team? { teamsByID[id] }

    func drivers(of team: Team) -> [Driver] { team.drivers.compactMap { driversByID[$0] } }
}
