/// Events that are known by name. Clients can send them, the catalog lists them, and screens offer them as actions.
///
/// Declare each case once, next to the enum. The same declaration decodes it, encodes it, and lists it with its
/// payload's fields:
///
/// ```swift
/// extension AppEvents.Teams: DeclaredEvents {
///     static let declaration = EventDeclaration<Self>(
///         "teams",
///         .event("didSelect", Self.didSelect, "team") { if case .didSelect(let team) = $0 { team } else { nil } }
///     )
/// }
/// ```
public protocol DeclaredEvents: CoordinateEvents, Sendable {
    /// The domain's name and each of its cases.
    static var declaration: EventDeclaration<Self> { get }
}

/// The cases of one enum of events, under the domain's name: `teams` and `didSelect` form `teams.didSelect`.
///
/// Its methods can be inlined, as in ``RouteDeclaration``: each action on the screen is encoded whenever the screen is
/// read.
public struct EventDeclaration<Event: CoordinateEvents & Sendable>: Sendable {
    /// One case: its name, the fields of its payload, and the conversion from and to plain values.
    public struct Case: Sendable {
        @usableFromInline var name: String
        /// Returns the payload of an event of this case; `nil` for any other.
        @usableFromInline let payload: @Sendable (Event) -> PlainValue?
        let details: Details
        @usableFromInline var isAppOnly = false

        /// - Parameters:
        ///   - fields: The fields of its payload, with their choices.
        ///   - decode: Creates the event from a payload.
        ///   - payload: Returns the payload of an event of this case; `nil` for any other.
        @usableFromInline
        init(
            name: String, fields: @escaping @Sendable ((any AppDependenciesProtocol)?) -> [EventField],
            decode:
                @escaping @Sendable (
                    PlainValue, (any AppDependenciesProtocol)?
                ) throws(PlainValueError) -> Event,
            payload: @escaping @Sendable (Event) -> PlainValue?
        ) {
            self.name = name
            self.payload = payload
            details = Details(fields: fields, decode: decode)
        }
    }

    /// The part of a case that is not needed to encode a payload. It is a class, so that copying a case is cheap.
    final class Details: Sendable {
        /// The fields without the choices that depend on dependencies.
        let declaredFields: [EventField]
        let fields: @Sendable ((any AppDependenciesProtocol)?) -> [EventField]
        let decode: @Sendable (PlainValue, (any AppDependenciesProtocol)?) throws(PlainValueError) -> Event

        init(
            fields: @escaping @Sendable ((any AppDependenciesProtocol)?) -> [EventField],
            decode:
                @escaping @Sendable (
                    PlainValue, (any AppDependenciesProtocol)?
                ) throws(PlainValueError) -> Event
        ) {
            declaredFields = fields(nil)
            self.fields = fields
            self.decode = decode
        }
    }

    @usableFromInline let cases: [Case]
    private let domain: String
    /// The mistakes in this declaration. See ``CoordinatedApp/faults``.
    let faults: [String]

    /// Declares all cases of a domain.
    ///
    /// No host starts the app with one of these faults: a name that is empty, or has a dot or a space; two fields of an
    /// event with the same name; a field called `event`, which is reserved for the name of the action; a secret that is
    /// optional or in a list; an object that contains itself. See ``CoordinatedApp/faults``.
    ///
    /// - Parameters:
    ///   - domain: The part of the events' names before the dot.
    ///   - cases: The cases, created with ``Case/event(_:_:)``, ``Case/event(_:_:_:value:)`` and
    ///     ``Case/event(_:_:_:values:)``.
    public init(_ domain: String, _ cases: Case...) {
        self.domain = domain
        let nameFaults = Self.nameFaults(domain: domain, names: cases.map(\.name))
        self.cases = cases.map { declared in
            var named = declared
            named.name = "\(domain).\(declared.name)"
            return named
        }
        let fieldFaults = self.cases.compactMap { declared in
            declared.details.declaredFields.problem.map { "\(Event.self): \(declared.name) \($0)" }
        }
        faults = nameFaults + fieldFaults
    }

    /// Returns the case of an event, with its payload; `nil` if the case is not declared here.
    @inlinable
    func declared(_ event: Event) -> (declared: Case, payload: PlainValue)? {
        // Iterating by index copies only the case that matches.
        for index in cases.indices {
            if let payload = cases[index].payload(event) { return (cases[index], payload) }
        }
        return nil
    }

    /// Returns the full name that an event would have if its case were declared here.
    func name(ofMissing event: Event) -> String {
        "\(domain).\(String(describing: event).prefix { $0 != "(" })"
    }
}

extension EventDeclaration.Case {
    /// The same case, which clients may not send: for an outcome of work, a timer, or a fact that only the host knows.
    ///
    /// ```swift
    /// .event("pricesDidFail", Self.pricesDidFail, "reason") { … }.appOnly
    /// ```
    public var appOnly: Self {
        var declared = self
        declared.isAppOnly = true
        return declared
    }
}
