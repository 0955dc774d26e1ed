/// A failure of the browser or of a page.
public struct BrowserError: Error, CustomStringConvertible {
    /// An error code of the W3C's WebDriver protocol, or of this module: `no driver`, `never`.
    public let kind: String
    public let message: String

    public var description: String { "\(kind): \(message)" }

    public init(kind: String, message: String) {
        self.kind = kind
        self.message = message
    }

    /// Whether a retry can succeed once the page has progressed.
    var mayPass: Bool {
        [
            "element click intercepted", "element not interactable", "javascript error", "no such element",
            "script timeout", "stale element reference",
        ].contains(kind)
    }
}
