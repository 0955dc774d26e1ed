import Coordinate

/// The result of a driver in one race.
public struct RaceResult: Equatable, Sendable {
    /// The name of the race: "Monaco Grand Prix".
    public let race: String
    /// The place at the finish, from 1; `nil` if the driver was not classified.
    public let position: Int?

    public init(race: String, position: Int?) {
        self.race = race
        self.position = position
    }
}

/// The results of a driver in the last races, newest first, as carried by one event.
struct LastResults: Equatable, Sendable {
    let results: [RaceResult]

    init(_ results: [RaceResult]) {
        self.results = results
    }
}

extension LastResults: PlainValueConvertible {
    static let plainType = PlainType.string

    /// The text for a race without a place.
    private static let notClassified = "NC"

    /// The results as text, one line per race, the place first: `2 Monaco Grand Prix`.
    var plainValue: PlainValue {
        let lines = results.map { result in
            let race = result.race.split(whereSeparator: \.isNewline).joined(separator: " ")
            return "\(result.position.map(String.init) ?? Self.notClassified) \(race)"
        }
        return .string(lines.joined(separator: "\n"))
    }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> LastResults {
        var results: [RaceResult] = []
        for line in try String.resolve(value, in: dependencies).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let position = Int(parts[0])
            guard parts.count == 2, position != nil || parts[0] == notClassified else {
                throw PlainValueError("must have one line per race, the place first: 2 Monaco Grand Prix")
            }
            results.append(RaceResult(race: String(parts[1]), position: position))
        }
        return LastResults(results)
    }
}
