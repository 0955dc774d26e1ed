internal import Coordinate
internal import JSON

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

    init(version: Int, session: String, language: PageLanguage, refused: RefusedForm?) {
        self.version = version
        self.session = session
        self.language = language
        self.refused = refused
    }

    /// Writes the form of an action, or the link if the app says what it opens.
    ///
    /// - Parameters:
    ///   - attributes: Attributes of the form, or of the link.
    ///   - button: Further attributes of the button.
    ///   - other: The id of an element that describes the button; `nil` for none.
    ///   - content: Writes the content of the button; `nil` for the title.
    mutating func write(
        _ action: Action, _ attributes: HTMLAttributes = [:], button: HTMLAttributes = [:],
        describedBy other: String? = nil, to html: inout HTMLWriter, _ content: ((inout HTMLWriter) -> Void)? = nil
    ) {
        let button =
            ["data-role": action.role?.rawValue, "aria-describedby": other, "dir": content == nil ? "auto" : nil]
            + button
        let content = content ?? { $0.text(action.title) }
        if let path = action.opens {
            html.startLine()
            return html.element("a", ["href": PageAddress.of(path)] + attributes + button, content)
        }
        var attempt: RefusedForm?
        if refused?.action == action { swap(&attempt, &refused) }
        // The server judges what is entered, and explains its errors in words.
        let kind: HTMLAttributes =
            action.inputs.isEmpty ? [:] : ["novalidate": ""]
        html.block("form", ["method": "post", "action": PageAddress.root] + attributes + kind) { html in
            for (name, value) in [
                ("event", action.event), ("payload", action.payload.jsonText), ("version", "\(version)"),
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
            html.element("button", button, content)
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
            let attributes: HTMLAttributes = [
                "id": id, "name": SubmittedForm.prefix + input.field, "dir": "auto",
                "aria-invalid": error.map { _ in "true" }, "aria-describedby": error.map { _ in "\(id)-error" },
            ]
            if let error {
                faults.append(Fault(message: error, field: id))
                html.element("p", ["class": "error", "id": "\(id)-error", "dir": "auto"], error)
                html.startLine()
            }
            let entries = attempt.map { $0.form.entries(of: input.field) ?? control.unsent } ?? nil
            write(control, entries ?? control.texts(of: input.value), of: input, attributes, to: &html)
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
            html.void("input", attributes + (input.kind?.attributes(for: text) ?? ["type": "text"]) + ["value": text])
        case .password:
            let isCode = input.kind == .oneTimeCode
            html.void(
                "input",
                attributes + [
                    "type": "password", "autocomplete": isCode ? "one-time-code" : nil,
                    "inputmode": isCode ? "numeric" : nil, "required": required,
                ])
        // Browsers show nothing else in a field for numbers, and drop the comma of "1,5".
        case .number(isWhole: true) where text.isEmpty || Int(text) != nil:
            html.void("input", attributes + ["type": "number", "step": "1", "value": text, "required": required])
        case .number:
            html.void("input", attributes + ["type": "text", "inputmode": "decimal", "value": text])
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

extension Action.Input.Kind {
    /// The attributes of a field with which browsers offer the fitting keyboard and suggestions. Fields of some types
    /// drop what does not fit them, so such a text gets a field that keeps it.
    fileprivate func attributes(for text: String) -> HTMLAttributes {
        switch self {
        case .email where text.isTrimmed: ["type": "email", "autocomplete": "email"]
        case .email: ["type": "text", "inputmode": "email", "autocomplete": "email"]
        case .phone: ["type": "tel", "autocomplete": "tel"]
        case .url where text.isTrimmed: ["type": "url", "autocomplete": "url"]
        case .url: ["type": "text", "inputmode": "url", "autocomplete": "url"]
        case .date where text.isEmpty || text.isDate: ["type": "date"]
        case .time where text.isEmpty || text.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]/) != nil: ["type": "time"]
        case .oneTimeCode: ["type": "text", "inputmode": "numeric", "autocomplete": "one-time-code"]
        case .search: ["type": "search"]
        case .date, .time, .multiline: ["type": "text"]
        }
    }
}

extension String {
    fileprivate var isTrimmed: Bool { first?.isWhitespace != true && last?.isWhitespace != true }

    /// Whether it is a day of the calendar: `2026-11-29`.
    fileprivate var isDate: Bool {
        guard let (_, year, month, day) = wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/)?.output,
            let year = Int(year), let month = Int(month), let day = Int(day), (1...12).contains(month), year > 0
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
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
