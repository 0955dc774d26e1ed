/// Every event of an app by its name, with its payload's fields and the way in from plain values.
///
/// ```swift
/// let events = EventCatalog(AppEvents.Splash.self, AppEvents.Teams.self)
/// let payload = PlainValue.object([PlainField("team", .string("ferrari"))])
/// let event = try events.entry(named: "teams.didSelect")?.event(from: payload, in: dependencies)
/// ```
///
/// It is made of what each enum declares next to itself; the library's own ``NavigationEvents`` are always in it.
public struct EventCatalog: Sendable {
    /// One event.
    public struct Entry: Sendable {
        /// The full name: `teams.didSelect`.
        public let name: String
        /// What its payload holds; empty where there is none.
        public let fields: [EventField]
        /// Whether only the app and its host may emit it, and clients may not.
        public let isAppOnly: Bool
        fileprivate let decode:
            @Sendable (PlainValue, (any AppDependenciesProtocol)?) throws(EventDecodingError) -> any CoordinateEvents
    }

    /// The events in the order of their declaration, the library's last.
    public let entries: [Entry]
    private let indexByName: [String: Int]

    /// Makes the catalog of these enums. No two events may have the same name.
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
                name: declared.name, fields: declared.fields, isAppOnly: declared.isAppOnly,
                decode: { payload, dependencies throws(EventDecodingError) in
                    try declared.decode(payload, dependencies)
                })
        }
    }
}

extension EventCatalog.Entry {
    /// Whether a field of it is secret.
    public var hasSecrets: Bool { fields.contains(where: \.isSecret) }

    /// A payload with the fields that this event declares, and no others; without those that are secret.
    public func recordedFields(of payload: PlainValue) -> PlainValue {
        guard case .object(let sent) = payload else { return .object([]) }
        return .object(sent.filter { field in fields.contains { $0.name == field.name && !$0.isSecret } })
    }

    /// Checks that a payload has its secrets, as one that somebody sends must. One that was recorded has none.
    package func checkSecrets(of payload: PlainValue) throws(EventDecodingError) {
        for field in fields where field.isSecret && payload[field: field.name]?.string == nil {
            let isThere = payload[field: field.name] != nil
            throw EventDecodingError(field: field.name, message: isThere ? "must be a string" : "is missing")
        }
    }

    /// The event that a payload describes.
    ///
    /// - Parameters:
    ///   - payload: An object with the event's fields; other fields are ignored.
    ///   - dependencies: The tree's own, where ids are looked up.
    /// - Throws: which field is bad, and what to do about it.
    public func event(
        from payload: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(EventDecodingError) -> any CoordinateEvents {
        try decode(payload, dependencies)
    }
}
