import Coordinate

/// The teams and drivers of one season: read once, validated, and shared by all sessions.
///
/// Decode it from a file like `config/racing.json`. Invalid data is refused with a `DecodingError` that names the place
/// and the reason, such as an id that is not a lower-case slug or occurs twice, a color that is not like `#e8002d`, a
/// number that two drivers have, a team with an unlisted driver, a driver in no team or in two, or a race that occurs
/// twice or contains a driver twice.
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
    /// A car in the team's color.
    let image: Image
    /// The path of its details in the Teams tab.
    let path: String

    init(id: String, name: String, color: UInt32?, drivers: [Driver]) {
        self.id = id
        self.name = name
        self.drivers = drivers
        driverNames = drivers.map(\.name).joined(separator: ", ")
        image = Image(symbol: "car", color: color)
        path = "/main/teams/team/\(id)"
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
    /// The driver's number on the team's color.
    let image: Image
    /// The path of the driver's details in the Drivers tab.
    let path: String

    init(id: String, name: String, number: Int?, teamID: String, teamName: String, color: UInt32?) {
        self.id = id
        self.name = name
        self.teamID = teamID
        self.teamName = teamName
        image =
            number.map { Image(letters: "\($0)", color: color, alt: "Number \($0)") }
            ?? Image(symbol: "person", color: color)
        path = "/main/drivers/driver/\(id)"
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
            /// The color, such as `#e8002d`; `nil` for the client's own.
            let color: String?
            let drivers: [String]
        }
        struct Driver: Decodable {
            let id: String
            let name: String
            /// The number of the car, from 1 to 99; `nil` if it is not known.
            let number: Int?
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
        let numbers = file.drivers.compactMap(\.number)
        if let number = numbers.first(where: { !(1...99).contains($0) }) {
            throw refuse("the number \(number) of a driver is not between 1 and 99")
        }
        guard Set(numbers).count == numbers.count else { throw refuse("a driver's number occurs twice") }

        let listed = Dictionary(uniqueKeysWithValues: file.drivers.map { ($0.id, $0) })
        var driversByID: [String: Driver] = [:]
        let teams = try file.teams.map { team in
            let color = try team.color.map { text in
                guard let color = Self.color(text) else {
                    throw refuse("the color \"\(text)\" of the team \"\(team.id)\" is not like #e8002d")
                }
                return color
            }
            let drivers = try team.drivers.map { id in
                guard let driver = listed[id] else {
                    throw refuse("the team \"\(team.id)\" has an unknown driver \"\(id)\": list it under \"drivers\"")
                }
                guard driversByID[id] == nil else { throw refuse("the driver \"\(id)\" is in two teams") }
                let member = Driver(
                    id: id, name: driver.name, number: driver.number, teamID: team.id, teamName: team.name, color: color
                )
                driversByID[id] = member
                return member
            }
            return Team(id: team.id, name: team.name, color: color, drivers: drivers)
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

    /// The color of a text such as `#e8002d`; `nil` if it is none.
    private static func color(_ text: String) -> UInt32? {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(text.dropFirst(), radix: 16)
    }

    private static func isSlug(_ id: String) -> Bool {
        !id.isEmpty
            && id.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            }
    }
}
