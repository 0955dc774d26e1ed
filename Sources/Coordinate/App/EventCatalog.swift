/// Every event of an app by its name, with its payload's fields and the way in from plain values.
///
/// It is made of what each enum declares next to itself; the library's own ``NavigationEvents`` are always in it.
public struct EventCatalog: Sendable {
    /// One event.
    public struct Entry: Sendable {
        /// The full name: `teams.didSelect`.
        public let name: String
        public let fields: [EventField]
        fileprivate let decode:
            @Sendable (PlainValue, (any AppDependenciesProtocol)?) throws(EventDecodingError) -> any CoordinateEvents
    }

    /// The events in the order of their declaration, the library's last.
    public let entries: [Entry]
    private let indexByName: [String: Int]

    public init(_ events: any DeclaredEvents.Type...) {
        entries = (events + [NavigationEvents.self]).flatMap { Self.entries(of: $0) }
        indexByName = Dictionary(
            entries.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in preconditionFailure("two events are called \(first)") }
        )
    }

    /// The event with a name, nil where there is none.
    public func entry(named name: String) -> Entry? {
        indexByName[name].map { entries[$0] }
    }

    private static func entries<Event: DeclaredEvents>(of events: Event.Type) -> [Entry] {
        Event.declaration.cases.map { declared in
            Entry(
                name: declared.name, fields: declared.fields,
                decode: { payload, dependencies throws(EventDecodingError) in
                    try declared.decode(payload, dependencies)
                })
        }
    }
}

extension EventCatalog.Entry {
    /// The event that a payload describes.
    ///
    /// - Parameter dependencies: The tree's own, where ids are looked up.
    public func event(
        from payload: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(EventDecodingError) -> any CoordinateEvents {
        try decode(payload, dependencies)
    }
}
