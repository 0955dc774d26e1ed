/// What the browser, or a page in it, did not do.
public struct BrowserError: Error, CustomStringConvertible {
    /// One of the error codes of the W3C's WebDriver protocol, or of ours: `no driver`, `never`.
    public let kind: String
    public let message: String

    public var description: String { "\(kind): \(message)" }

    public init(kind: String, message: String) {
        self.kind = kind
        self.message = message
    }

    /// Whether the same may go well as soon as the page has got further.
    var mayPass: Bool {
        [
            "element click intercepted", "element not interactable", "javascript error", "no such element",
            "script timeout", "stale element reference",
        ].contains(kind)
    }
}
