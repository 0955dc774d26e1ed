/// An action of a user: an event to emit at the leaf, with the title of its button.
///
/// ```swift
/// override var actions: [Action] {
///     [Action(title: "Edit profile", event: AppEvents.Profile.edit)]
/// }
/// ```
///
/// An action with ``inputs`` is a form. The event contains the values to show, and the user's entries replace them:
///
/// ```swift
/// Action(
///     title: "Continue", event: ShopEvents.Checkout.enterAddress(name: draft.name, zip: draft.zip),
///     inputs: [
///         Action.Input("name", title: "Name"),
///         Action.Input("zip", title: "Zip", error: draft.zip.count == 4 ? nil : "Enter a zip of four digits."),
///     ])
/// ```
///
/// A ``role`` says what the action means, so that clients can draw it accordingly. An action that only leads to another
/// screen can say to which one, and is then a link:
///
/// ```swift
/// Action(title: "Delete account", event: AppEvents.Account.delete, role: .destructive)
/// Action(title: product.name, event: AppEvents.Catalogue.didSelect(product), opens: "/catalogue/product/\(product.id)")
/// ```
///
/// Offer an event only while a coordinator handles it. ``HasEvents/press(_:)`` presses the button.
public struct Action: Equatable, Sendable {
    /// The text of its button.
    public let title: String
    /// The event's full name: `teams.didSelect`.
    public var event: String { content.event }
    /// The event's payload, an object.
    public var payload: PlainValue { content.payload }
    /// The fields of a form, top to bottom; empty if the action is only a button.
    public var inputs: [Input] { content.inputs }
    /// What it means to the user; `nil` if it is an action like any other.
    public let role: Role?
    /// The path of the screen that it leads to; `nil` if it does anything else, or the app does not say. A link to that
    /// path must have the same effect for the user: the explorer checks it.
    public let opens: String?
    /// Whether it has inputs.
    package var isForm: Bool { !content.inputs.isEmpty }
    var emission: any DeclaredEvents { content.emission }
    /// The reason why it cannot be offered by name; `nil` if it can.
    var flaw: Flaw? { content.flaw }

    /// What an action means to the user.
    public enum Role: String, Sendable {
        /// What users came to the screen for, such as Continue. A screen should have at most one.
        case primary
        /// It removes or ends something that cannot easily be restored.
        case destructive
        /// It leaves things as they are.
        case cancel
    }

    /// Everything except the title, the role, and the path. Copies share it, and so do actions that differ only in
    /// those. Snapshots contain many actions, so copying one must be cheap.
    private let content: Content

    final class Content: Sendable {
        let event: String
        let payload: PlainValue
        let inputs: [Input]
        let emission: any DeclaredEvents
        let flaw: Flaw?

        fileprivate init(
            event: String, payload: PlainValue, inputs: [Input] = [], emission: any DeclaredEvents, flaw: Flaw? = nil
        ) {
            self.event = event
            self.payload = payload
            self.inputs = inputs
            self.emission = emission
            self.flaw = flaw
        }
    }

    /// A reason why an action cannot be offered by name.
    enum Flaw: Equatable, Sendable {
        /// The event's case is missing from its declaration.
        case undeclared
        /// Clients may not send the event.
        case appOnly
        /// The event's payload has no such field.
        case noField(String)
    }

    /// Creates an action of a declared event.
    ///
    /// - Parameters:
    ///   - title: The text of its button.
    ///   - event: The event. For a form, it contains the values to show.
    ///   - inputs: The fields of the payload that a user fills in.
    ///   - role: What it means to the user; `nil` if it is an action like any other.
    ///   - opens: The path of the screen that it leads to, with a slash in front. Only for an action that does nothing
    ///     else and has no inputs.
    @inlinable
    public init<Event: DeclaredEvents>(
        title: String, event: Event, inputs: [Input] = [], role: Role? = nil, opens: String? = nil
    ) {
        if inputs.isEmpty, let (declared, payload) = Event.declaration.declared(event), !declared.isAppOnly {
            self.init(
                title: title, name: declared.name, payload: payload, emission: event, role: role, opens: opens)
        } else {
            self.init(title: title, form: event, inputs, role: role, opens: opens)
        }
    }

    @usableFromInline
    init(
        title: String, name: String, payload: PlainValue, emission: any DeclaredEvents, role: Role?, opens: String?
    ) {
        self.init(title: title, Content(event: name, payload: payload, emission: emission), role: role, opens: opens)
    }

    /// Creates an action that shares the content of another one.
    init(title: String, _ content: Content, role: Role? = nil, opens: String? = nil) {
        self.title = title
        self.content = content
        self.role = role
        self.opens = opens
    }

    /// Returns the action without the path of the screen that it leads to.
    func withoutPath() -> Action { Action(title: title, content, role: role) }

    /// Returns the content of an action that emits a navigation event. Several actions can share it.
    static func content(of event: NavigationEvents) -> Content { Action(title: "", event: event).content }

    @usableFromInline
    init<Event: DeclaredEvents>(title: String, form event: Event, _ inputs: [Input], role: Role?, opens: String?) {
        let found = Event.declaration.declared(event)
        let fields = found?.declared.details.declaredFields ?? []
        let payload = found?.payload ?? .object([])
        let unknown = inputs.first { input in !fields.contains { $0.name == input.field } }
        let flaw: Flaw? =
            switch found?.declared.isAppOnly {
            case nil: .undeclared
            case true?: .appOnly
            case false?: unknown.map { .noField($0.field) }
            }
        self.init(
            title: title,
            Content(
                event: found?.declared.name ?? Event.declaration.name(ofMissing: event), payload: payload,
                inputs: inputs.compactMap { input in
                    fields.first { $0.name == input.field }.map { input.filled(from: $0, of: payload) }
                }, emission: event, flaw: flaw), role: role, opens: opens)
    }

    /// Returns whether two actions have the same title, role, path, event, payload and inputs.
    public static func == (one: Action, other: Action) -> Bool {
        one.title == other.title && one.role == other.role && one.opens == other.opens && one.event == other.event
            && one.payload == other.payload && one.inputs == other.inputs
    }
}

extension Action {
    /// Whether a payload is the action's own, except for the fields of its inputs. A missing field is null.
    func isSent(as sent: PlainValue) -> Bool { entries(sending: sent) != nil }

    /// Returns the values that a user enters to send a payload: those that differ from what the form shows; `nil` if the
    /// action cannot send it. A missing field is null.
    package func entries(sending sent: PlainValue) -> [PlainField]? {
        guard case .object(let own) = payload, case .object(let fields) = sent else {
            return payload == sent ? [] : nil
        }
        var names: Set<String> = []
        var entries: [PlainField] = []
        for name in (own + fields).map(\.name) where names.insert(name).inserted {
            let value = sent[field: name] ?? .null
            if (payload[field: name] ?? .null).isSameJSON(as: value) { continue }
            guard inputs.contains(where: { $0.field == name }) else { return nil }
            entries.append(PlainField(name, value))
        }
        return entries
    }
}

extension PlainValue {
    /// Whether two values are the same in JSON, where 1 is 1.0, and the order of fields means nothing.
    fileprivate func isSameJSON(as other: PlainValue) -> Bool {
        switch (self, other) {
        case (.int(let one), .double(let other)), (.double(let other), .int(let one)): return Double(one) == other
        case (.array(let one), .array(let other)):
            return one.count == other.count && zip(one, other).allSatisfy { $0.isSameJSON(as: $1) }
        case (.object(let one), .object(let fields)):
            return one.count == fields.count
                && one.allSatisfy { field in other[field: field.name].map(field.value.isSameJSON) ?? false }
        default: return self == other
        }
    }
}

extension HasEvents {
    /// Presses the button of an action, which emits its event here.
    ///
    /// ```swift
    /// let screen = app.visibleLeaf.getRootViewController()
    /// screen.press(screen.actions[0])
    /// ```
    @discardableResult
    public func press(_ action: Action) -> Dispatch {
        emitEvent(action.emission)
    }
}
