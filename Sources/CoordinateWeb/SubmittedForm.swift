public import Coordinate
internal import JSON

/// A form of a screen as a user sent it: the event of its action, the version that the user saw, and what was entered.
public struct SubmittedForm: Sendable {
    /// The reason why a body is not a form of a screen, and what to do about it.
    public struct Malformation: Error, CustomStringConvertible {
        public let description: String
    }

    /// The name of the event.
    public let event: String
    /// The version of the session whose screen the user saw.
    public let version: Int
    /// The payload of the action as it was shown.
    private let shown: PlainValue
    /// The texts that were entered, by field.
    private let entries: [String: [String]]
    /// The fields that were entered, in the order sent.
    private let fields: [String]

    /// Reads the fields `event`, `payload`, `version` and `input.FIELD`. Others are ignored, such as a button's name.
    public init(_ form: FormData) throws(Malformation) {
        guard let event = form.value(of: "event") else {
            throw Malformation(description: "The form needs one field \"event\" with the event's name.")
        }
        guard let version = form.value(of: "version").flatMap(Int.init), version >= 0 else {
            throw Malformation(description: "The form needs one field \"version\" with the version of the screen.")
        }
        let payload = form.values(of: "payload")
        let shown = payload.isEmpty ? .object([]) : try? JSONParser.parse(Array(payload[0].utf8))
        guard payload.count <= 1, let shown, case .object = shown else {
            throw Malformation(description: "The field \"payload\" of the form must be one JSON object.")
        }
        self.event = event
        self.version = version
        self.shown = shown
        var fields: [String] = []
        var entries: [String: [String]] = [:]
        for name in form.names where name.utf8.starts(with: Self.prefix.utf8) {
            let field = String(name.dropFirst(Self.prefix.count))
            guard entries[field] == nil else { continue }
            fields.append(field)
            entries[field] = form.values(of: name)
        }
        self.fields = fields
        self.entries = entries
    }

    static let prefix = "input."

    /// The action to which the form belongs, among those that a screen offers; `nil` if it offers none like it.
    public func action(in state: NavigationState) -> Action? {
        let offered = state.offered.filter { $0.event == event }
        return offered.first { $0.payload == shown } ?? offered.first { !$0.inputs.isEmpty }
    }

    /// The payload of the event: what was shown, with the user's entries in it.
    ///
    /// - Parameters:
    ///   - action: The form's action, whose inputs say how the entries are read.
    ///   - declared: The event's fields, for entries that are no inputs of the action.
    public func payload(of action: Action?, declared: [EventField]) -> PlainValue {
        var values: [(field: String, value: PlainValue)] = []
        let inputs = action?.inputs ?? []
        for input in inputs { values.append((input.field, input.value(of: entries[input.field]))) }
        for field in fields where !inputs.contains(where: { $0.field == field }) {
            let text = entries[field]?.last ?? ""
            let type = declared.first { $0.name == field }?.type
            values.append((field, type?.value(of: text) ?? .string(text)))
        }
        guard case .object(let shown) = shown else { return .object([]) }
        let kept = shown.map { field in
            PlainField(field.name, values.first { $0.field == field.name }?.value ?? field.value)
        }
        let added = values.filter { entry in !shown.contains { $0.name == entry.field } }
        return .object(kept + added.map { PlainField($0.field, $0.value) })
    }

    /// The form as it is shown again with what was entered, because the screen has changed meanwhile.
    public func kept(as action: Action) -> RefusedForm {
        RefusedForm(action: action, entries: entries, field: nil, reason: nil)
    }

    /// The form as it is shown again because it was refused: with what was entered.
    ///
    /// - Parameters:
    ///   - path: The names that lead to the bad value in the payload; empty if no value is to blame.
    ///   - reason: The reason: half a sentence if a value is to blame, a sentence otherwise.
    public func refused(as action: Action, at path: [String], because reason: String) -> RefusedForm {
        let field = path.first.flatMap { name in action.inputs.first { $0.field == name } }?.field
        let message = field == nil && !path.isEmpty ? "The value \"\(path.joined(separator: "/"))\" \(reason)." : reason
        return RefusedForm(
            action: action, entries: entries, field: field, reason: field == nil ? message : reason)
    }
}

/// A form that was not accepted, with what its user entered.
public struct RefusedForm: Sendable {
    let action: Action
    /// The texts that were entered, by field.
    let entries: [String: [String]]
    /// The field with the bad entry; `nil` if it is none of the action's.
    let field: String?
    /// The reason why the form was refused; `nil` if its entries are not to blame.
    let reason: String?
}
