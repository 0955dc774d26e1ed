/// The elements of a page, and its texts, by a parser that accepts only what ``HTMLWriter`` should write.
struct HTMLStructure {
    struct Malformation: Error { let rest: String }

    /// The tags with the names of their attributes, in order. A run of text is one empty string.
    private(set) var tags: [String] = []
    /// The texts and the values of attributes, decoded, in order.
    private(set) var texts: [String] = []

    init(_ page: String) throws {
        // Not characters: a combining mark after a bracket is one character with it, for Swift but for no browser.
        var rest = Array(page.unicodeScalars)[...]
        let doctype = Array("<!DOCTYPE html>".unicodeScalars)
        guard rest.starts(with: doctype) else { throw Malformation(rest: page) }
        rest = rest.dropFirst(doctype.count)
        while let first = rest.first {
            if first == "<" {
                try readTag(&rest)
            } else {
                let text = rest.prefix { $0 != "<" }
                guard !text.contains(">") else { throw Malformation(rest: Self.string(text)) }
                rest = rest.dropFirst(text.count)
                collect(text)
                if tags.last != "" { tags.append("") }
            }
        }
    }

    /// Whether a text is there, alone.
    func shows(_ text: String) -> Bool {
        // Text areas begin with a line feed.
        texts.contains { $0 == text || $0 == "\n" + text }
    }

    private mutating func readTag(_ rest: inout ArraySlice<Unicode.Scalar>) throws {
        let start = rest
        func name() -> String {
            let name = rest.prefix { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "/" }
            rest = rest.dropFirst(name.count)
            return Self.string(name)
        }
        func expect(_ text: String) throws {
            guard rest.starts(with: text.unicodeScalars) else {
                throw Malformation(rest: Self.string(start.prefix(200)))
            }
            rest = rest.dropFirst(text.unicodeScalars.count)
        }
        try expect("<")
        var tag = name()
        guard !tag.isEmpty else { throw Malformation(rest: Self.string(start.prefix(200))) }
        while rest.first == " " {
            try expect(" ")
            let attribute = name()
            try expect("=\"")
            let value = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(value.count)
            try expect("\"")
            guard !attribute.isEmpty, !value.contains("<"), !value.contains(">") else {
                throw Malformation(rest: Self.string(start.prefix(200)))
            }
            collect(value)
            tag += " " + attribute
        }
        try expect(">")
        tags.append(tag)
    }

    private mutating func collect(_ text: ArraySlice<Unicode.Scalar>) {
        var rest = text
        var decoded = String.UnicodeScalarView()
        while let scalar = rest.first {
            let entity = Self.entities.first { rest.starts(with: $0.name.unicodeScalars) }
            decoded.append(entity?.scalar ?? scalar)
            rest = rest.dropFirst(entity?.name.unicodeScalars.count ?? 1)
        }
        texts.append(String(decoded))
    }

    private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#13;", "\r"), ("&amp;", "&"),
    ]

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
