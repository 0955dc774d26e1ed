/// The events of an app by name: the fields of their payloads, and how to create them from plain values.
///
/// ```swift
/// let events = EventCatalog(AppEvents.Splash.self, AppEvents.Teams.self)
/// let payload = PlainValue.object([PlainField("team", .string("ferrari"))])
/// let event = try events.entry(named: "teams.didSelect")?.event(from: payload, in: dependencies)
/// ```
///
/// It collects the declarations of the app's enums. It always contains the library's own ``NavigationEvents`` as well.
public struct EventCatalog: Sendable {
    /// One event. All copies of the catalog share this object.
    public final class Entry: Sendable {
        /// The full name: `teams.didSelect`.
        public let name: String
        /// The fields of its payload, in order; empty if it has no payload.
        public let fields: [EventField]
        /// Whether only the app and its host may emit it, not clients.
        public let isAppOnly: Bool
        /// Whether one of its fields is a secret or contains one.
        public let hasSecrets: Bool
        fileprivate let describe: @Sendable ((any AppDependenciesProtocol)?) -> [EventField]
        fileprivate let decode:
            @Sendable (PlainValue, (any AppDependenciesProtocol)?) throws(PlainValueError) -> any CoordinateEvents

        fileprivate init<Event: DeclaredEvents>(_ declared: EventDeclaration<Event>.Case) {
            let details = declared.details
            name = declared.name
            fields = details.declaredFields
            isAppOnly = declared.isAppOnly
            hasSecrets = fields.contains(where: \.type.holdsSecret)
            describe = details.fields
            decode = { payload, dependencies throws(PlainValueError) in try details.decode(payload, dependencies) }
        }
    }

    /// The events in the order of their declaration, the library's last.
    public let entries: [Entry]
    private let indexByName: [String: Int]
    /// The enums, including the library's own.
    package let types: [ObjectIdentifier]
    private let enums: [any DeclaredEvents.Type]
    /// The faults of the declarations that show without creating events.
    private let declaredFaults: [String]

    /// Creates the catalog of these enums. Two events with the same name are a fault, so no host starts the app.
    public init(_ events: any DeclaredEvents.Type...) {
        let all = events + [NavigationEvents.self]
        enums = all
        types = all.map { ObjectIdentifier($0) }
        let entries = all.flatMap { Self.entries(of: $0) }
        let indexByName = Dictionary(entries.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
        let seconds = entries.indices.filter { indexByName[entries[$0].name] != $0 }
        declaredFaults =
            all.flatMap { Self.faults(of: $0) } + seconds.map { "two events are called \(entries[$0].name)" }
        self.entries = entries
        self.indexByName = indexByName
    }

    /// Returns the event with a name; `nil` if there is none. It also finds the event of the timers of guards.
    public func entry(named name: String) -> Entry? {
        indexByName[name].map { entries[$0] } ?? (name == Self.askGuards.name ? Self.askGuards : nil)
    }

    private static let askGuards = Entry(GuardEvents.declaration.cases[0])

    /// Returns the faults of the declarations.
    ///
    /// - Parameters:
    ///   - dependencies: The dependencies of a root that was not started.
    ///   - samples: The app's samples, from which events are created.
    func faults(in dependencies: (any AppDependenciesProtocol)?, _ samples: [Sample]) -> [String] {
        func mismatches<Event: DeclaredEvents>(of events: Event.Type) -> [String] {
            Event.declaration.mismatches(in: dependencies) { samples.entered($0, of: $1) }
        }
        return declaredFaults + enums.flatMap { mismatches(of: $0) }
    }

    private static func faults<Event: DeclaredEvents>(of events: Event.Type) -> [String] { Event.declaration.faults }

    private static func entries<Event: DeclaredEvents>(of events: Event.Type) -> [Entry] {
        Event.declaration.cases.map { Entry($0) }
    }
}

extension EventCatalog.Entry {
    /// Returns the fields of its payload, with the choices that are known without a session.
    ///
    /// - Parameter dependencies: The dependencies of a root that was not started.
    public func fields(in dependencies: (any AppDependenciesProtocol)?) -> [EventField] {
        describe(dependencies)
    }

    /// Returns a payload with only the fields that this event declares, without secrets.
    public func recordedFields(of payload: PlainValue) -> PlainValue {
        guard case .object(let sent) = payload else { return .object([]) }
        return fields.recorded(sent)
    }

    /// Returns a payload that another version of the app recorded, without the fields that are secrets in this version.
    package func withoutSecrets(_ payload: PlainValue) -> PlainValue {
        guard hasSecrets, case .object(let recorded) = payload else { return payload }
        return fields.recorded(recorded, keepingOthers: true)
    }

    /// Returns a recorded payload with the text "secret" for each of its secrets.
    package func fillingInSecrets(of payload: PlainValue) -> PlainValue {
        guard hasSecrets, case .object(let recorded) = payload else { return payload }
        return fields.fillingInSecrets(of: recorded)
    }

    /// Checks that a payload sent by a client contains its secrets. A recorded payload has none.
    package func checkSecrets(of payload: PlainValue) throws(EventDecodingError) {
        if hasSecrets { try fields.checkSecrets(of: payload) }
    }

    /// Checks that a payload has no field that this event does not declare, at any depth.
    ///
    /// An unknown field from a client is a mistake. A recorded payload may have fields of an older declaration.
    package func checkFields(of payload: PlainValue) throws(EventDecodingError) {
        if case .object(let sent) = payload { try fields.checkFields(of: sent) }
    }

    /// Returns the event that a payload describes.
    ///
    /// - Parameters:
    ///   - payload: An object with the event's fields; other fields are ignored.
    ///   - dependencies: The tree's dependencies, which look up ids.
    /// - Throws: An error with the path of the bad value, and what to do about it.
    public func event(
        from payload: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(EventDecodingError) -> any CoordinateEvents {
        try decode(payload, dependencies)
    }
}
