/// Events that are known by name: what lets them in from outside, into the catalog, and onto the screen as actions.
///
/// Declare each case once, next to the enum; the same declaration decodes it, lists it with its payload's fields, and
/// encodes it:
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

/// The cases of one enum of events under the domain's name: `teams` and `didSelect` make `teams.didSelect`.
///
/// Like ``RouteDeclaration`` it can be inlined: each action on the screen is encoded whenever the screen is looked at.
public struct EventDeclaration<Event: CoordinateEvents & Sendable>: Sendable {
    /// One case: how it is called, what its payload holds, and the way from and to plain values.
    public struct Case: Sendable {
        @usableFromInline let name: String
        @usableFromInline let fields: [EventField]
        @usableFromInline let decode:
            @Sendable (PlainValue, (any AppDependenciesProtocol)?) throws(EventDecodingError) -> Event
        /// The payload where the event is of this case, else nil.
        @usableFromInline let payload: @Sendable (Event) -> PlainValue?
        var isAppOnly = false

        @usableFromInline
        init(
            name: String, fields: [EventField],
            decode:
                @escaping @Sendable (
                    PlainValue, (any AppDependenciesProtocol)?
                ) throws(EventDecodingError) -> Event,
            payload: @escaping @Sendable (Event) -> PlainValue?
        ) {
            self.name = name
            self.fields = fields
            self.decode = decode
            self.payload = payload
        }
    }

    @usableFromInline let cases: [Case]

    /// Declares the cases of a domain, every one of them.
    ///
    /// - Parameters:
    ///   - domain: What comes before the dot in the names.
    ///   - cases: Made with ``Case/event(_:_:)`` and ``Case/event(_:_:_:value:)``.
    public init(_ domain: String, _ cases: Case...) {
        self.cases = cases.map { declared in
            var named = Case(
                name: "\(domain).\(declared.name)", fields: declared.fields, decode: declared.decode,
                payload: declared.payload)
            named.isAppOnly = declared.isAppOnly
            return named
        }
    }

    /// An event's full name and payload.
    @inlinable
    func encode(_ event: Event) -> (name: String, payload: PlainValue) {
        for declared in cases {
            if let payload = declared.payload(event) { return (declared.name, payload) }
        }
        preconditionFailure("\(event) is missing from the declaration of \(Event.self)")
    }
}

extension EventDeclaration.Case {
    /// The same case as an event that clients may not send: an outcome of work, a timer, something that only the host knows.
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

extension EventDeclaration.Case where Event: Equatable {
    /// A case without a payload.
    ///
    /// - Parameters:
    ///   - name: The case's own name, without its domain.
    ///   - event: The case itself: `.didFinish`.
    @inlinable
    public static func event(_ name: String, _ event: Event) -> Self {
        Self(name: name, fields: [], decode: { _, _ in event }, payload: { $0 == event ? .object([]) : nil })
    }
}

extension EventDeclaration.Case {
    /// A case with one value, under the name `field` in the payload.
    ///
    /// - Parameters:
    ///   - name: The case's own name, without its domain.
    ///   - make: The case itself: `Self.didSelect`.
    ///   - field: The name of the value in a payload.
    ///   - value: The value out of an event of this case, nil for any other case.
    @inlinable
    public static func event<Value: PlainValueConvertible>(
        _ name: String, _ make: @escaping @Sendable (Value) -> Event, _ field: String,
        value: @escaping @Sendable (Event) -> Value?
    ) -> Self {
        Self(
            name: name,
            fields: [EventField(name: field, type: Value.plainType, isSecret: Value.isSecret)],
            decode: { payload, dependencies throws(EventDecodingError) in
                // A secret is in no journal.
                guard let plain = payload[field: field] ?? (Value.isSecret ? .null : nil) else {
                    throw EventDecodingError(field: field, message: "is missing")
                }
                do throws(PlainValueError) {
                    return make(try Value.resolve(plain, in: dependencies))
                } catch {
                    throw EventDecodingError(field: field, message: error.message)
                }
            },
            payload: { value($0).map { .object([PlainField(field, $0.plainValue)]) } }
        )
    }
}

/// A field of an event's payload.
public struct EventField: Equatable, Sendable {
    /// The name of the value: `team`.
    public let name: String
    /// What a client has to send.
    public let type: PlainType
    /// Whether it is a ``Secret``, and written nowhere.
    public let isSecret: Bool

    @usableFromInline
    init(name: String, type: PlainType, isSecret: Bool) {
        self.name = name
        self.type = type
        self.isSecret = isSecret
    }
}

/// Which field of a payload is bad, and what to do about it.
public struct EventDecodingError: Error, Equatable, Sendable {
    /// The name of the field.
    public let field: String
    /// Half a sentence that follows the field's name: "is missing".
    public let message: String

    @usableFromInline
    package init(field: String, message: String) {
        self.field = field
        self.message = message
    }
}
