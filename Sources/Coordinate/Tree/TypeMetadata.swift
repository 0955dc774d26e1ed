internal import Synchronization

/// The metadata of a class: values that are read often and expensive to compute. Each is computed once.
final class TypeMetadata: Sendable {
    let name: String
    /// The end of the id of a coordinator that is named after the class.
    let suffix: String
    /// The name of the class without the suffix `ViewController`.
    let screenName: String
    /// Casts an instance to `HasRoutes`; `nil` if the class does not conform.
    let routesCast: (@Sendable (CoordinatorNode) -> (any HasRoutes)?)?
    var hasRoutes: Bool { routesCast != nil }
    /// Whether its instances' routes have paths.
    let declaresRoutes: Bool
    /// Whether its instances guard their routes.
    let isGuarding: Bool
    /// Casts an instance to `HasDependenciesProtocol`; `nil` if the class does not conform.
    let dependenciesCast: (@Sendable (Responder) -> (any HasDependenciesProtocol)?)?
    /// Whether its instances cannot start without dependencies.
    let needsDependencies: Bool
    /// Whether its instances are screens that show one thing.
    let hasArgument: Bool
    /// The content of a screen; `nil` if its instances have none.
    let content: ContentAccess?
    /// The content of a tap on a tab that is named after the class.
    let tap: Action.Content

    private static let known = Mutex<[ObjectIdentifier: TypeMetadata]>([:])

    static func of(_ type: AnyClass) -> TypeMetadata {
        let id = ObjectIdentifier(type)
        if let metadata = known.withLock({ $0[id] }) { return metadata }
        let metadata = TypeMetadata(type)
        known.withLock { $0[id] = metadata }
        return metadata
    }

    private init(_ type: AnyClass) {
        let suffix = "ViewController"
        name = SharedName.of(String(describing: type))
        self.suffix = "/" + name
        screenName = name.hasSuffix(suffix) && name != suffix ? String(name.dropLast(suffix.count)) : name
        func cast<Class: HasRoutes>(to type: Class.Type) -> @Sendable (CoordinatorNode) -> (any HasRoutes)? {
            RoutesCast<Class>().cast
        }
        let routed = type as? any HasRoutes.Type
        routesCast = routed.map { cast(to: $0) }
        func declares<Class: HasRoutes>(_ type: Class.Type) -> Bool { Class.RouteType.self is any DeclaredRoutes.Type }
        declaresRoutes = routed.map { declares($0) } ?? false
        isGuarding = type is any HasGuard.Type
        func cast<Class: HasDependenciesProtocol>(
            to type: Class.Type
        ) -> @Sendable (Responder) -> (any HasDependenciesProtocol)? { DependenciesCast<Class>().cast }
        dependenciesCast = (type as? any HasDependenciesProtocol.Type).map { cast(to: $0) }
        needsDependencies = type is any NeedsDependencies.Type
        hasArgument = type is any HasArgument.Type
        func access<Class: HasContent>(to type: Class.Type) -> ContentAccess { ContentAccess(type) }
        content = (type as? any HasContent.Type).map { access(to: $0) }
        tap = Action.content(of: .selectTab(name))
    }
}

/// A cast of a coordinator to `HasRoutes`, done for every visible coordinator in every turn. It is four times as fast
/// as `as? any HasRoutes`, which looks up the conformance each time.
private struct RoutesCast<Class: HasRoutes> {
    @Sendable func cast(_ node: CoordinatorNode) -> (any HasRoutes)? { node as? Class }
}

/// A cast of a coordinator or a screen to `HasDependenciesProtocol`, which is as fast.
private struct DependenciesCast<Class: HasDependenciesProtocol> {
    @Sendable func cast(_ responder: Responder) -> (any HasDependenciesProtocol)? { responder as? Class }
}

/// A table of names that many trees share, each stored once: names of classes, and ids.
///
/// All sessions of an app have coordinators with the same ids. Copies of those strings would be a fifth of a session's
/// memory. The table is bounded: names beyond the limit are not shared.
enum SharedName {
    private static let maximumCount = 1 << 14
    private static let maximumLength = 512
    private static let names = Mutex<Set<String>>([])

    /// Returns the shared copy of a name.
    static func of(_ name: String) -> String {
        guard name.utf8.count <= maximumLength else { return name }
        return names.withLock { names in
            guard names.count < maximumCount else { return names.firstIndex(of: name).map { names[$0] } ?? name }
            return names.insert(name).memberAfterInsert
        }
    }
}
