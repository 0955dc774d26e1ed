/// The teams and drivers of one season: read once, validated, and shared by all sessions.
///
/// Decode it from a file like `config/racing.json`. Invalid data is refused with a `DecodingError` that names the place
/// and the reason, such as an id that is not a lower-case slug or occurs twice, a team with an unlisted driver, a
/// driver in no team or in two, or a race that occurs twice or contains a driver twice.
public final class Season: Sendable {
    /// The teams, in the order of the file.
    let teams: [Team]
    /// The drivers, in the order of the file.
    let drivers: [Driver]
    /// The finished races, oldest first.
    let races: [Race]
    let profileName: ProfileName

    private let teamsByID: [String: Team]
    private let driversByID: [String: Driver]

    func team(withID id: String) -> Team? { teamsByID[id] }
    func driver(withID id: String) -> Driver? { driversByID[id] }
    func team(of driver: Driver) -> Team? { teamsByID[driver.teamID] }

    private init(teams: [Team], drivers: [Driver], races: [Race], profileName: ProfileName) {
        self.teams = teams
        self.drivers = drivers
        self.races = races
        self.profileName = profileName
        teamsByID = Dictionary(uniqueKeysWithValues: teams.map { ($0.id, $0) })
        driversByID = Dictionary(uniqueKeysWithValues: drivers.map { ($0.id, $0) })
    }
}

/// A team with its drivers.
final class Team: Sendable, Equatable {
    let id: String
    let name: String
    let drivers: [Driver]
    /// The drivers' names as text: "Charles Leclerc, Lewis Hamilton".
    let driverNames: String

    init(id: String, name: String, drivers: [Driver]) {
        self.id = id
        self.name = name
        self.drivers = drivers
        driverNames = drivers.map(\.name).joined(separator: ", ")
    }

    /// Whether both are the same object; there is one per team.
    static func == (one: Team, other: Team) -> Bool { one === other }
}

/// A driver, with the id and name of the team.
final class Driver: Sendable, Equatable {
    let id: String
    let name: String
    let teamID: String
    let teamName: String

    init(id: String, name: String, teamID: String, teamName: String) {
        self.id = id
        self.name = name
        self.teamID = teamID
        self.teamName = teamName
    }

    /// Whether both are the same object; there is one per driver.
    static func == (one: Driver, other: Driver) -> Bool { one === other }
}

/// A finished race.
struct Race: Sendable, Equatable {
    let name: String
    /// The classified drivers, the winner first.
    let finishers: [Driver]
}

extension Season: Decodable {
    private struct File: Decodable {
        struct Profile: Decodable {
            let name: String
        }
        struct Team: Decodable {
            let id: String
            let name: String
            let drivers: [String]
        }
        struct Driver: Decodable {
            let id: String
            let name: String
        }
        struct Race: Decodable {
            let name: String
            let finishers: [String]
        }
        let profile: Profile
        let teams: [Team]
        let drivers: [Driver]
        /// The races; `nil` before the first one.
        let races: [Race]?
    }

    public convenience init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        func refuse(_ reason: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }

        for (kind, ids) in [("team", file.teams.map(\.id)), ("driver", file.drivers.map(\.id))] {
            var seen: Set<String> = []
            for id in ids {
                guard Self.isSlug(id) else {
                    throw refuse("the \(kind) id \"\(id)\" is not a slug: use lower-case letters, digits and hyphens")
                }
                guard seen.insert(id).inserted else { throw refuse("the \(kind) id \"\(id)\" occurs twice") }
            }
        }
        guard !file.teams.isEmpty else { throw refuse("there are no teams") }

        let listed = Dictionary(uniqueKeysWithValues: file.drivers.map { ($0.id, $0) })
        var driversByID: [String: Driver] = [:]
        let teams = try file.teams.map { team in
            let drivers = try team.drivers.map { id in
                guard let driver = listed[id] else {
                    throw refuse("the team \"\(team.id)\" has an unknown driver \"\(id)\": list it under \"drivers\"")
                }
                guard driversByID[id] == nil else { throw refuse("the driver \"\(id)\" is in two teams") }
                let member = Driver(id: id, name: driver.name, teamID: team.id, teamName: team.name)
                driversByID[id] = member
                return member
            }
            return Team(id: team.id, name: team.name, drivers: drivers)
        }
        let drivers = try file.drivers.map { driver in
            guard let member = driversByID[driver.id] else { throw refuse("the driver \"\(driver.id)\" is in no team") }
            return member
        }
        let races = try (file.races ?? []).map { race in
            let finishers = try race.finishers.map { id in
                guard let driver = driversByID[id] else {
                    throw refuse("the race \"\(race.name)\" has an unknown driver \"\(id)\": list it under \"drivers\"")
                }
                return driver
            }
            guard Set(race.finishers).count == finishers.count else {
                throw refuse("a driver occurs twice in the race \"\(race.name)\"")
            }
            return Race(name: race.name, finishers: finishers)
        }
        guard Set(races.map(\.name)).count == races.count else { throw refuse("a race name occurs twice") }
        guard let profileName = ProfileName(file.profile.name) else {
            throw refuse("the profile's name must have 1 to 80 characters")
        }
        self.init(teams: teams, drivers: drivers, races: races, profileName: profileName)
    }

    private static func isSlug(_ id: String) -> Bool {
        !id.isEmpty
            && id.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            }
    }
}
