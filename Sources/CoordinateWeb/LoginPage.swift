/// The page with a form for the server's API key.
struct LoginPage {
    /// The address of the page, and of its form.
    static let address = PageAddress.of("/login")

    /// The field with the address to which a form leads.
    static let nextField = "next"

    /// The address to which the login leads.
    let next: String
    /// The reason why a key was refused; `nil` if none was.
    var error: String?
    var look = PageLook()

    /// The document.
    var html: String {
        PageFrame(title: "Log in", look: look).message { html in
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
