/// A page with a message instead of a screen: what happened, and where to continue.
struct MessagePage {
    /// A link to where a user can continue.
    struct Link {
        let title: String
        let address: String
    }

    /// The field of the form that begins a new session.
    static let newSessionField = "new"

    let title: String
    let message: String
    let links: [Link]
    /// Whether the page has a button that begins a new session.
    var offersNewSession = false
    /// The address to which the new session leads; `nil` for its own start.
    var next: String?
    var look = PageLook()

    /// The document.
    var html: String {
        PageFrame(title: title, look: look).message { html in
            html.startLine()
            html.element("p", ["class": "text", "dir": "auto"], message)
            html.block("div", ["class": "actions"]) { html in
                for link in links {
                    html.startLine()
                    html.element("a", ["href": link.address], link.title)
                }
                guard offersNewSession else { return }
                html.block("form", ["method": "post", "action": PageAddress.root]) { html in
                    html.void("input", ["type": "hidden", "name": Self.newSessionField, "value": "session"])
                    if let next {
                        html.void("input", ["type": "hidden", "name": LoginPage.nextField, "value": next])
                    }
                    html.element("button", [:], "Begin anew")
                }
            }
        }
    }
}
