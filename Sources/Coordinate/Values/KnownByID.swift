/// A type of the app whose values clients send as ids. The ids are looked up in the dependencies.
///
/// ```swift
/// extension Team: KnownByID {
///     static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Team]? {
///         (dependencies as? AppDependencies)?.season.teams
///     }
/// }
/// ```
///
/// A client that sends an unknown id gets an error, with a similar id if there is one.
public protocol KnownByID: PlainValueConvertible {
    /// The type of the ids, usually `String`.
    associatedtype ID: PlainValueConvertible & Equatable

    /// The id, unique among the values of the type.
    var id: ID { get }

    /// Returns all values, whose ids the catalog lists; `nil` if there are too many to list, or they are not known.
    ///
    /// - Parameter dependencies: The dependencies of the tree. For the catalog, those of a root that was not started.
    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Self]?

    /// Returns the value with an id; `nil` if there is none. By default it searches ``all(in:)``.
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
            throw PlainValueError("is not the id of any \(Self.self)")
        }
        return known
    }
}
