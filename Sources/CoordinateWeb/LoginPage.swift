/// The page with a form for the server's API key.
public struct LoginPage: Sendable {
    /// The address of the page, and of its form.
    public static let address = PageAddress.of("/login")

    /// The field with the address to which a form leads.
    static let nextField = "next"

    private let next: String
    private let error: String?
    private let look: PageLook

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - next: The address to which the login leads.
    ///   - error: The reason why a key was refused; `nil` if none was.
    public init(next: String, error: String? = nil, look: PageLook = PageLook()) {
        self.next = next
        self.error = error
        self.look = look
    }

    /// The document.
    public var html: String {
        let frame = PageFrame(title: "Log in", look: look)
        return frame.document { html in
            frame.writeHeader(&html)
            html.block("main", ["id": "main", "class": "message"]) { html in
                html.element("h1", ["tabindex": "-1"], "Log in")
                html.block("form", ["method": "post", "action": Self.address, "class": "actions"]) { html in
                    html.void("input", ["type": "hidden", "name": Self.nextField, "value": next])
                    html.block("div", ["class": "field"]) { html in
                        html.element("label", ["for": "key"], "Key of this server")
                        html.startLine()
                        html.void(
                            "input",
                            [
                                "id": "key", "name": "key", "type": "password", "autocomplete": "current-password",
                                "required": "", "autofocus": "", "aria-invalid": error.map { _ in "true" },
                                "aria-describedby": error.map { _ in "key-error" },
                            ])
                        if let error {
                            html.startLine()
                            html.element("p", ["class": "error", "id": "key-error", "role": "alert"], error)
                        }
                    }
                    html.element("button", ["data-role": "primary"], "Log in")
                }
            }
        }
    }
}
