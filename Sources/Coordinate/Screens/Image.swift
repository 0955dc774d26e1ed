/// An image without pixels: a file of the host, a symbol, or a few letters.
///
/// ```swift
/// Image(file: "/images/lamp.svg", alt: "A brass lamp with a green shade")
/// Image(symbol: "car", color: 0xE8002D)
/// Image(letters: "16", color: 0xE8002D, alt: "Number 16")
/// ```
///
/// A screen is read after every event. So store an image where it is used often, for example in a model.
public struct Image: Hashable, Sendable {
    /// The address of a file in the folder that the host serves, with a slash in front: `/images/lamp.svg`.
    public var file: String? { if case .file(let file) = content.source { file } else { nil } }
    /// The name of a symbol: `car`. Clients draw it; one that does not know the symbol leaves its place empty.
    public var symbol: String? { if case .symbol(let symbol) = content.source { symbol } else { nil } }
    /// Up to three letters or digits that stand for someone or something: `LH`, `16`.
    public var letters: String? { if case .letters(let letters) = content.source { letters } else { nil } }
    /// The color of a symbol, or behind letters, as 0xRRGGBB; `nil` for the client's own.
    public var color: UInt32? { content.color }
    /// The color as in style sheets: `#e8002d`.
    package var hexadecimalColor: String? { content.hexadecimalColor }
    /// What the image says, for people who do not see it; empty if it says nothing that the text beside it does not.
    public var alt: String { content.alt }
    /// The text from which it was created: the address, the name, or the letters.
    public var name: String {
        switch content.source {
        case .file(let text), .symbol(let text), .letters(let text): text
        }
    }

    /// Whether the file, if there is one, has an address of the host itself.
    var isOfHost: Bool { file.map(\.isLocalAddress) ?? true }

    /// Copies share everything, so that a row with an image is cheap to copy.
    private let content: Content

    private enum Source: Hashable, Sendable {
        case file(String)
        case symbol(String)
        case letters(String)
    }

    private final class Content: Sendable {
        let source: Source
        let color: UInt32?
        let hexadecimalColor: String?
        let alt: String

        init(_ source: Source, color: UInt32?, alt: String) {
            self.source = source
            self.color = color
            hexadecimalColor = color.map { color in
                let digits = String(color, radix: 16)
                return "#" + String(repeating: "0", count: 6 - digits.count) + digits
            }
            self.alt = alt
        }
    }

    private init(_ source: Source, color: UInt32?, alt: String) {
        content = Content(source, color: color.map { $0 & 0xFF_FFFF }, alt: alt)
    }

    /// Creates an image of a file.
    ///
    /// - Parameters:
    ///   - file: The address of a file in the folder that the host serves, with a slash in front. Without one, the image
    ///     is not shown, with a ``Diagnostic/invalidAddress(_:screen:of:)``.
    ///   - alt: What the image says; empty if it says nothing that the text beside it does not.
    public init(file: String, alt: String) {
        self.init(.file(file), color: nil, alt: alt)
    }

    /// Creates an image of a symbol.
    public init(symbol: String, color: UInt32? = nil, alt: String = "") {
        self.init(.symbol(symbol), color: color, alt: alt)
    }

    /// Creates an image of a few letters. Those after the third are left out.
    public init(letters: String, color: UInt32? = nil, alt: String = "") {
        self.init(.letters(String(letters.prefix(3))), color: color, alt: alt)
    }

    /// Creates an image of the symbol with this name; never `nil`.
    public init?(named name: String) {
        self.init(symbol: name)
    }

    /// Returns whether two images show and say the same.
    public static func == (one: Image, other: Image) -> Bool {
        one.content === other.content
            || one.content.source == other.content.source && one.color == other.color && one.alt == other.alt
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(content.source)
        hasher.combine(color)
        hasher.combine(alt)
    }
}

extension String {
    /// Whether it is an address of the host itself. Browsers read `//host`, and a backslash for a slash, as another
    /// host, and skip control characters.
    package var isLocalAddress: Bool {
        let bytes = utf8
        return bytes.first == UInt8(ascii: "/") && bytes.dropFirst().first != UInt8(ascii: "/")
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }
}
