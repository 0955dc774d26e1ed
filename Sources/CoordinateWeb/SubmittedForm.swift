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
    /// The mark of the session whose screen the user saw: see ``ScreenPage``.
    public let session: String
    /// The payload of the action as it was shown.
    private let shown: PlainValue
    /// The texts that were entered.
    private let form: FormData

    /// Reads the fields `event`, `payload`, `version`, `session` and `input.FIELD`. Others are ignored, such as a
    /// button's name.
    public init(_ form: FormData) throws(Malformation) {
        guard let event = form.value(of: "event") else {
            throw Malformation(description: "The form needs one field \"event\" with the event's name.")
        }
        guard let version = form.value(of: "version").flatMap(Int.init), (0..<Int.max).contains(version) else {
            throw Malformation(description: "The form needs one field \"version\" with the version of the screen.")
        }
        guard let session = form.value(of: "session") else {
            throw Malformation(description: "The form needs one field \"session\" with the session's mark.")
        }
        let payload = form.values(of: "payload")
        let shown = payload.isEmpty ? .object([]) : try? JSONParser.parse(Array(payload[0].utf8))
        guard payload.count <= 1, let shown, case .object = shown else {
            throw Malformation(description: "The field \"payload\" of the form must be one JSON object.")
        }
        self.event = event
        self.version = version
        self.session = session
        self.shown = shown
        self.form = form
    }

    static let prefix = "input."

    /// The texts that were entered in a field; `nil` if the field was not sent.
    func entries(of field: String) -> [String]? {
        let texts = form.values(of: Self.prefix + field)
        return texts.isEmpty ? nil : texts
    }

    /// The fields that were entered, in the order sent.
    private var fields: [String] {
        form.names.filter { $0.utf8.starts(with: Self.prefix.utf8) }
            .map { String(Substring($0.utf8.dropFirst(Self.prefix.utf8.count))) }
    }

    /// The action to which the form belongs, among those that a screen offers; `nil` if it offers none like it.
    public func action(in state: NavigationState) -> Action? {
        let offered = state.offered.filter { $0.event == event }
        return offered.first { $0.payload == shown } ?? offered.first { !$0.inputs.isEmpty }
    }

    /// What was pressed and entered, without secrets: the same bytes for the same press on the same version.
    ///
    /// - Parameter declared: The event's fields, which name its secrets.
    public func press(declared: [EventField]) -> [UInt8] {
        let entered = fields.filter { field in !declared.contains { $0.isSecret && $0.name == field } }.map { field in
            PlainField(field, .array((entries(of: field) ?? []).map(PlainValue.string)))
        }
        return PlainValue.array([.int(version), .string(event), shown, .object(entered)]).json
    }

    /// The payload of the event: what was shown, with the user's entries in it.
    ///
    /// - Parameters:
    ///   - action: The form's action, whose inputs say how the entries are read.
    ///   - declared: The event's fields, for entries that are no inputs of the action.
    public func payload(of action: Action?, declared: [EventField]) -> PlainValue {
        var values: [[UInt8]: PlainValue] = [:]
        var names: [String] = []
        for input in action?.inputs ?? [] {
            names.append(input.field)
            values[Array(input.field.utf8)] = input.value(of: entries(of: input.field))
        }
        for field in fields where values[Array(field.utf8)] == nil {
            let text = entries(of: field)?.last ?? ""
            let type = declared.first { $0.name == field }?.type
            names.append(field)
            values[Array(field.utf8)] = type?.value(of: text) ?? .string(text)
        }
        guard case .object(let shown) = shown else { return .object([]) }
        let kept = shown.map { PlainField($0.name, values.removeValue(forKey: Array($0.name.utf8)) ?? $0.value) }
        let added = names.compactMap { name in values[Array(name.utf8)].map { PlainField(name, $0) } }
        return .object(kept + added)
    }

    /// The form as it is shown again because it was refused: with what was entered.
    ///
    /// - Parameters:
    ///   - path: The names that lead to the bad value in the payload; empty if no value is to blame.
    ///   - reason: The reason: half a sentence if a value is to blame, a sentence otherwise.
    ///   - advice: What to enter instead, as a sentence of the app; `nil` for the library's own.
    public func refused(
        as action: Action, at path: [String], because reason: String, advice: String? = nil
    ) -> RefusedForm {
        let input = path.first.flatMap { name in action.inputs.first { $0.field == name } }
        let message =
            if let input {
                advice ?? input.advice(on: entries(of: input.field), because: reason)
            } else {
                path.isEmpty ? reason : RefusedForm.notOffered
            }
        return RefusedForm(action: action, form: self, field: input?.field, reason: message)
    }
}

extension Action.Input {
    /// What to enter instead of a bad entry, as a sentence.
    ///
    /// - Parameter reason: The reason why the entry is bad, as the end of a sentence that begins with its name.
    fileprivate func advice(on entries: [String]?, because reason: String) -> String {
        let name = "\"\(title)\""
        // The library's own reasons are for programs. They are about what is no value of the type.
        return switch (FormControl(for: self), value(of: entries)) {
        case (.menu, _), (.list, _): "Choose from the list \(name)."
        case (.number(isWhole: true), .string): "Enter a whole number in \(name)."
        case (.number(isWhole: false), .string): "Enter a number in \(name)."
        case (.lines, .array(let values)) where type.items?.kind != .string && values.contains { $0.string != nil }:
            type.items?.kind == .int
                ? "Enter whole numbers in \(name), one on each line." : "Enter numbers in \(name), one on each line."
        case (.json, _): "\(name) cannot be read. Keep its brackets, commas and quotation marks."
        case _ where entries?.allSatisfy(\.isEmpty) ?? true:
            switch kind {
            case .email: "Enter an email address in \(name)."
            case .phone: "Enter a phone number in \(name)."
            case .url: "Enter a web address in \(name)."
            case .date: "Enter a date in \(name)."
            case .time: "Enter a time in \(name)."
            default: "Fill in \(name)."
            }
        case _ where reason.isAboutUnknownValue: "\(name) is not known. Check the spelling."
        default: "\(name) \(reason)."
        }
    }
}

extension String {
    /// Whether it is the library's reason against a value that names nothing, which has the name of a type.
    fileprivate var isAboutUnknownValue: Bool {
        utf8.starts(with: "is not the id of any ".utf8) || utf8.starts(with: "is not a value of ".utf8)
    }
}

/// A form that was not accepted, with what its user entered.
public struct RefusedForm: Sendable {
    let action: Action
    let form: SubmittedForm
    /// The field with the bad entry; `nil` if it is none of the action's.
    let field: String?
    /// The reason why the form was refused, as a sentence.
    let reason: String

    /// The reason if no entry is to blame, but what the screen offered.
    static let notOffered = "The app does not accept this at the moment. Check the screen, and try again."
}
