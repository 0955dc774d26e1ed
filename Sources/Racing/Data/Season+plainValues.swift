import Coordinate

extension Team: PlainValueConvertible {
    static let plainType = PlainType.string
    var plainValue: PlainValue { .string(id) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Team {
        let id = try String.resolve(value, in: dependencies)
        guard let team = (dependencies as? AppDependencies)?.dataManager.season.team(withID: id) else {
            throw PlainValueError("is no team's id: the rows of the Teams tab have them all")
        }
        return team
    }
}

extension Driver: PlainValueConvertible {
    static let plainType = PlainType.string
    var plainValue: PlainValue { .string(id) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Driver {
        let id = try String.resolve(value, in: dependencies)
        guard let driver = (dependencies as? AppDependencies)?.dataManager.season.driver(withID: id) else {
            throw PlainValueError("is no driver's id: the rows of the Drivers tab have them all")
        }
        return driver
    }
}
