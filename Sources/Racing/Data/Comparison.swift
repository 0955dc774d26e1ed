import Coordinate

/// The results of a few drivers in the season's races.
struct Comparison: PlainObject, Equatable {
    /// The results of one driver.
    struct Results: PlainObject, Equatable {
        let driver: Driver
        /// The places at the finish, in the order of the races; `nil` if the driver was not classified.
        let places: [Int?]
        let points: Int

        static let declaration = ObjectDeclaration(
            Results.init, .field("driver", \.driver), .field("places", \.places), .field("points", \.points))
    }

    /// The names of the races, oldest first.
    let races: [String]
    let drivers: [Results]

    static let declaration = ObjectDeclaration(
        Comparison.init, .field("races", \.races), .field("drivers", \.drivers))

    /// The points as text: "Points in 3 races: Charles Leclerc 41, Lando Norris 61"; `nil` before the first race.
    var points: String? {
        guard !races.isEmpty else { return nil }
        let points = drivers.map { "\($0.driver.name) \($0.points)" }.joined(separator: ", ")
        return "Points in \(races.count) race\(races.count == 1 ? "" : "s"): \(points)"
    }
}

extension Comparison {
    /// The points of the first ten: Formula One sporting regulations 2025, article 6.4.
    private static let points = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1]

    init(of drivers: [Driver], in races: [Race]) {
        self.init(
            races: races.map(\.name),
            drivers: drivers.map { driver in
                let places = races.map { race in race.finishers.firstIndex(of: driver).map { $0 + 1 } }
                let points = places.compactMap(\.self).filter { $0 <= Self.points.count }.map { Self.points[$0 - 1] }
                return Results(driver: driver, places: places, points: points.reduce(0, +))
            })
    }
}
