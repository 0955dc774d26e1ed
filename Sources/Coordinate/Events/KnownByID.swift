/// A type of the app whose values are sent by their ids and looked up in the dependencies.
///
/// ```swift
/// extension Team: KnownByID {
///     static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Team]? {
///         (dependencies as? AppDependencies)?.season.teams
///     }
/// }
/// ```
///
/// A client that sends an unknown id gets an error, with the id that it may have meant.
public protocol KnownByID: PlainValueConvertible {
    /// The type of the ids: a string, mostly.
    associatedtype ID: PlainValueConvertible & Equatable

    /// The id, unique among the values of the type.
    var id: ID { get }

    /// All values, whose ids the catalog lists; `nil` if they are too many for that, or not known.
    ///
    /// - Parameter dependencies: Those of the tree; for the catalog, those of a root that was not started.
    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Self]?

    /// The value with an id, `nil` if there is none. By default it is searched for among all of them.
    static func known(by id: ID, in dependencies: (any AppDependenciesProtocol)?) -> Self?
}

extension KnownByID {
    public static func known(by id: ID, in dependencies: (any AppDependenciesProtocol)?) -> Self? {
        all(in: dependencies)?.first { $0.id == id }
    }

    public static var plainType: PlainType { ID.plainType }

    public static func plainType(in dependencies: (any AppDependenciesProtocol)?) -> PlainType {
        ID.plainType(in: dependencies).with(choices: all(in: dependencies)?.map(\.id.plainValue))
    }

    @inlinable
    public var plainValue: PlainValue { id.plainValue }

    @inlinable
    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self {
        guard let known = known(by: try ID.resolve(value, in: dependencies), in: dependencies) else {
            throw PlainValueError("is the id of no \(Self.self)")
        }
        return known
    }
}
