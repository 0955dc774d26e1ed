/// A writer of HTML that escapes every text and every attribute's value.
///
/// The names of elements and attributes are literals of the program, so no input can become markup.
///
/// ```swift
/// var html = HTMLWriter()
/// html.element("p", ["class": "note"]) { $0.text("5 < 6") }
/// html.text   // <p class="note">5 &lt; 6</p>
/// ```
struct HTMLWriter {
    private(set) var html = ""

    /// Writes an element, with what the closure writes as its content.
    mutating func element(
        _ name: StaticString, _ attributes: HTMLAttributes = [:], _ content: (inout HTMLWriter) -> Void
    ) {
        open(name, attributes)
        content(&self)
        close(name)
    }

    /// Writes an element that contains a text.
    mutating func element(_ name: StaticString, _ attributes: HTMLAttributes, _ text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Writes an element on lines of its own, with what the closure writes as its content.
    mutating func block(
        _ name: StaticString, _ attributes: HTMLAttributes = [:], _ content: (inout HTMLWriter) -> Void
    ) {
        startLine()
        open(name, attributes)
        html += "\n"
        content(&self)
        startLine()
        close(name)
        html += "\n"
    }

    /// Writes an element without content, such as `input`.
    mutating func void(_ name: StaticString, _ attributes: HTMLAttributes = [:]) {
        open(name, attributes)
    }

    /// Writes what another writer has written.
    mutating func append(_ other: HTMLWriter) {
        html += other.html
    }

    /// Starts a new line, unless one has just begun.
    mutating func startLine() {
        if !html.isEmpty, html.utf8.last != UInt8(ascii: "\n") { html += "\n" }
    }

    private mutating func open(_ name: StaticString, _ attributes: HTMLAttributes) {
        html += "<"
        html += name.description
        for (name, value) in attributes.present {
            html += " "
            html += name.description
            html += "=\""
            text(value)
            html += "\""
        }
        html += ">"
    }

    private mutating func close(_ name: StaticString) {
        html += "</"
        html += name.description
        html += ">"
    }

    /// Writes a text with the characters escaped that have a meaning in content or in an attribute's value. All of
    /// them are single bytes, and the runs of bytes between them are appended at once.
    mutating func text(_ text: String) {
        var start = text.startIndex
        for index in text.utf8.indices {
            guard let escaped = Self.escaped(text.utf8[index]) else { continue }
            html += text[start..<index]
            html += escaped
            start = text.utf8.index(after: index)
        }
        html += text[start...]
    }

    /// The reference that stands for a character; `nil` if the character stands for itself.
    private static func escaped(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        // A parser would drop it, or read it as a line feed.
        case UInt8(ascii: "\r"): "&#13;"
        default: nil
        }
    }
}

/// The attributes of an element, in their order. An attribute whose value is `nil` is left out.
struct HTMLAttributes: ExpressibleByDictionaryLiteral {
    fileprivate let present: [(name: StaticString, value: String)]

    init(dictionaryLiteral attributes: (StaticString, String?)...) {
        present = attributes.compactMap { name, value in value.map { (name, $0) } }
    }

    private init(_ present: [(name: StaticString, value: String)]) {
        self.present = present
    }

    static func + (first: HTMLAttributes, second: HTMLAttributes) -> HTMLAttributes {
        HTMLAttributes(first.present + second.present)
    }
}

extension Bool {
    /// The value of an attribute that is there or not: `nil` for `false`.
    var attribute: String? { self ? "" : nil }
}
