internal import Coordinate

/// A writer of the forms of one page: one for each action, with a button of the action's title.
struct FormWriter {
    /// An error in a form of the page.
    struct Fault {
        let message: String
        /// The id of the field; `nil` if none is to blame.
        let field: String?
    }

    let version: Int
    /// The mark of the session.
    let session: String
    let language: PageLanguage
    /// The errors in the forms so far.
    private(set) var faults: [Fault] = []
    /// The refused form, until it is written.
    private var refused: RefusedForm?
    /// The number of forms with fields so far, for the ids of fields.
    private var count = 0
    /// Whether a field with an error has the focus already: at most one may have it.
    private var hasFocus = false

    init(version: Int, session: String, language: PageLanguage, refused: RefusedForm?) {
        self.version = version
        self.session = session
        self.language = language
        self.refused = refused
    }

    /// Writes the form of an action.
    ///
    /// - Parameters:
    ///   - id: The id of the button; `nil` for none.
    ///   - current: Whether the button leads to where the user is.
    ///   - other: The id of an element that describes the button; `nil` for none.
    mutating func write(
        _ action: Action, _ attributes: HTMLAttributes = [:], id: String? = nil, current: Bool = false,
        describedBy other: String? = nil, to html: inout HTMLWriter
    ) {
        var attempt: RefusedForm?
        if refused?.action == action { swap(&attempt, &refused) }
        // The server judges what is entered, and explains its errors in words.
        let kind: HTMLAttributes =
            action.inputs.isEmpty ? [:] : ["novalidate": ""]
        html.block("form", ["method": "post", "action": PageAddress.root] + attributes + kind) { html in
            for (name, value) in [
                ("event", action.event), ("payload", action.payload.json), ("version", "\(version)"),
                ("session", session),
            ] {
                html.void("input", ["type": "hidden", "name": name, "value": value])
            }
            if let attempt, attempt.field == nil {
                faults.append(Fault(message: attempt.reason, field: nil))
                html.startLine()
                html.element("p", ["class": "error", "dir": "auto"], attempt.reason)
            }
            if !action.inputs.isEmpty {
                count += 1
                html.startLine()
                for (index, input) in action.inputs.enumerated() {
                    write(input, id: "field-\(count)-\(index + 1)", in: attempt, to: &html)
                }
            }
            html.element(
                "button",
                ["id": id, "dir": "auto", "aria-current": current ? "page" : nil, "aria-describedby": other],
                action.title)
        }
    }

    private mutating func write(
        _ input: Action.Input, id: String, in attempt: RefusedForm?, to html: inout HTMLWriter
    ) {
        let error = attempt.map { $0.field == input.field ? $0.reason : nil } ?? input.error
        let control = FormControl(for: input)
        html.block("div", ["class": control == .checkbox ? "field check" : "field"]) { html in
            html.element("label", ["for": id, "dir": "auto"], input.title)
            html.startLine()
            let isFirstError = error != nil && !hasFocus
            if isFirstError { hasFocus = true }
            let attributes: HTMLAttributes = [
                "id": id, "name": SubmittedForm.prefix + input.field, "dir": "auto",
                "aria-invalid": error.map { _ in "true" }, "aria-describedby": error.map { _ in "\(id)-error" },
                "autofocus": isFirstError.attribute,
            ]
            let entries = attempt.map { $0.form.entries(of: input.field) ?? control.unsent } ?? nil
            write(control, entries ?? control.texts(of: input.value), of: input, attributes, to: &html)
            if let error {
                faults.append(Fault(message: error, field: id))
                html.startLine()
                html.element("p", ["class": "error", "id": "\(id)-error", "dir": "auto"], error)
            }
        }
    }

    private func write(
        _ control: FormControl, _ texts: [String], of input: Action.Input, _ attributes: HTMLAttributes,
        to html: inout HTMLWriter
    ) {
        let text = texts.last ?? ""
        let required = (!input.type.isOptional).attribute
        switch control {
        case .text:
            html.void("input", attributes + ["type": "text", "value": text])
        case .password:
            html.void("input", attributes + ["type": "password", "required": required])
        // Browsers would show nothing in a field for numbers.
        case .number where !text.isEmpty && Double(text) == nil:
            html.void("input", attributes + ["type": "text", "inputmode": "decimal", "value": text])
        case .number(let isWhole):
            html.void(
                "input",
                attributes + ["type": "number", "step": isWhole ? "1" : "any", "value": text, "required": required])
        case .checkbox:
            html.void(
                "input",
                attributes + [
                    "type": "checkbox", "value": "true", "checked": (text == "true" || text == "on").attribute,
                ])
        case .area, .lines, .json:
            // A parser drops the first line feed.
            html.element("textarea", attributes + ["rows": "4"], "\n" + text)
        case .menu(let choices):
            html.block("select", attributes) { html in
                let chosen = choices.firstIndex { $0.value.entryText == text }
                let hasEmpty = choices.contains { $0.value.entryText.isEmpty }
                if !hasEmpty, input.type.isOptional || chosen == nil {
                    html.element("option", ["value": "", "selected": (chosen == nil).attribute], "–")
                    html.startLine()
                }
                for (index, choice) in choices.enumerated() {
                    html.element(
                        "option",
                        ["value": choice.value.entryText, "selected": (index == chosen).attribute, "dir": "auto"],
                        choice.title)
                    html.startLine()
                }
            }
        case .list(let choices):
            html.block("select", attributes + ["multiple": ""]) { html in
                for choice in choices.map(\.entryText) {
                    html.element("option", ["value": choice, "selected": texts.contains(choice).attribute], choice)
                    html.startLine()
                }
            }
        }
    }
}

extension FormControl {
    /// The texts that an empty control of a sent form stands for; `nil` if browsers always send the field.
    fileprivate var unsent: [String]? {
        switch self {
        case .checkbox, .list: []
        default: nil
        }
    }
}
