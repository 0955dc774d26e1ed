internal import Coordinate
internal import JSON

/// The control for a field of a form, and the conversion between its texts and values of the field's type.
enum FormControl: Equatable {
    case text
    /// Several lines of text.
    case area
    /// A text that is not shown.
    case password
    case number(isWhole: Bool)
    case checkbox
    /// One of some values.
    case menu([Action.Input.Choice])
    /// Any number of some values.
    case list([PlainValue])
    /// A list with one value per line. Lists with values that are no lines are ``json``.
    case lines
    /// Any value, as JSON.
    case json

    init(for input: Action.Input) {
        let type = input.type
        if type.isSecret {
            self = .password
        } else if let choices = input.choices {
            self = .menu(choices)
        } else {
            switch type.kind {
            case .bool: self = .checkbox
            case .int: self = .number(isWhole: true)
            case .double: self = .number(isWhole: false)
            case .string:
                let isLong = input.kind == .multiline || input.value.string?.contains(where: \.isNewline) == true
                self = isLong ? .area : .text
            case .array:
                let items = type.items
                if let choices = items?.choices {
                    self = .list(choices)
                } else if items?.isScalar == true, input.value.areLines {
                    self = .lines
                } else {
                    self = .json
                }
            case .object: self = .json
            }
        }
    }

    /// The texts that stand for a value.
    func texts(of value: PlainValue) -> [String] {
        switch (self, value) {
        case (.checkbox, _): value == .bool(true) ? ["true"] : []
        case (.list(let choices), .array(let values)):
            choices.filter { values.contains($0) }.map(\.entryText)
        case (.lines, .array(let values)): [values.map(\.entryText).joined(separator: "\n")]
        case (.list, _): []
        default: [value.entryText]
        }
    }
}

extension PlainValue {
    /// The text that stands for the value in a field of a form. A list or an object is written as JSON.
    var entryText: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .array, .object: jsonText
        }
    }

    /// Whether each value of this list is one line of text that is not empty, so that lines stand for exactly these
    /// values. Also true for what is no list.
    fileprivate var areLines: Bool {
        guard case .array(let values) = self else { return true }
        return values.allSatisfy { value in
            let text = value.entryText.utf8
            return !text.isEmpty && text.allSatisfy { ![0, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
        }
    }
}

extension String {
    /// The bytes with a line feed for each line break, as an editor of a browser has them. Browsers send `\r\n`.
    fileprivate var withLineFeeds: [UInt8] {
        var bytes: [UInt8] = []
        var last: UInt8 = 0
        for byte in utf8 {
            if byte != UInt8(ascii: "\n") || last != UInt8(ascii: "\r") {
                bytes.append(byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte)
            }
            last = byte
        }
        return bytes
    }

    /// The bytes as a browser shows them and sends them back. It has U+FFFD in place of NUL.
    fileprivate var asShown: [UInt8] {
        withLineFeeds.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
    }
}

extension Action.Input {
    /// The value of what a user entered. An entry that was not changed stands for exactly the value that was shown.
    ///
    /// A text that stands for no value of the type stays a string, so that the app refuses it like any other value of
    /// the wrong type.
    ///
    /// - Parameter texts: The texts that were sent for the field; `nil` if none was sent.
    func value(of texts: [String]?) -> PlainValue {
        let control = FormControl(for: self)
        if value != .null, control.texts(of: value).map(\.asShown) == (texts ?? []).map(\.asShown) { return value }
        let text = texts?.last ?? ""
        switch control {
        // Browsers do not send boxes that are not checked, nor lists without a selection.
        case .checkbox where texts == nil: return type.isOptional && value == .null ? .null : .bool(false)
        case .list where texts == nil: return .array([])
        case .list: return .array((texts ?? []).map { type.items?.value(of: $0) ?? .string($0) })
        case _ where texts == nil: return value
        case .menu(let choices):
            return choices.first { $0.value.entryText == text }?.value ?? type.value(of: text)
        case .lines:
            let lines = text.withLineFeeds.split(separator: UInt8(ascii: "\n")).map {
                String(decoding: $0, as: UTF8.self)
            }
            if lines.isEmpty, type.isOptional { return .null }
            return .array(lines.map { type.items?.value(of: $0) ?? .string($0) })
        case .area: return type.value(of: String(decoding: text.withLineFeeds, as: UTF8.self))
        case .text, .password, .number, .checkbox, .json: return type.value(of: text)
        }
    }
}

extension PlainType {
    /// Whether it is neither a list nor an object.
    var isScalar: Bool { kind != .array && kind != .object }

    /// The value that a text stands for; the text itself if it stands for no value of this type.
    func value(of text: String) -> PlainValue {
        if text.isEmpty, isOptional { return .null }
        let trimmed = text.filter { !$0.isWhitespace }
        switch kind {
        case .string: return .string(text)
        case .bool:
            switch trimmed {
            case "true", "on": return .bool(true)
            case "false": return .bool(false)
            default: break
            }
        case .int:
            if let number = Int(trimmed) { return .int(number) }
        case .double:
            if let number = Int(trimmed) { return .int(number) }
            if let number = Double(trimmed), number.isFinite { return .double(number) }
        case .array, .object:
            if let value = try? JSONParser.parse(Array(text.utf8)) { return value }
        }
        return trimmed.isEmpty ? .null : .string(text)
    }
}
