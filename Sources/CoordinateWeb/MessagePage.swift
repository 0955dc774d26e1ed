/// A page with a message instead of a screen: what happened, and where to continue.
public struct MessagePage: Sendable {
    /// A link to where a user can continue.
    public struct Link: Sendable {
        /// The text of the link.
        public let title: String
        /// The address that it leads to.
        public let address: String

        /// Creates a link.
        public init(_ title: String, to address: String) {
            self.title = title
            self.address = address
        }
    }

    private let title: String
    private let message: String
    private let links: [Link]
    private let offersNewSession: Bool
    private let next: String?
    private let look: PageLook

    /// The field of the form that begins a new session.
    public static let newSessionField = "new"

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - offersNewSession: Whether the page has a button that begins a new session.
    ///   - next: The address to which the new session leads; `nil` for its own start.
    public init(
        title: String, message: String, links: [Link], offersNewSession: Bool = false, next: String? = nil,
        look: PageLook = PageLook()
    ) {
        self.title = title
        self.message = message
        self.links = links
        self.offersNewSession = offersNewSession
        self.next = next
        self.look = look
    }

    /// The document.
    public var html: String {
        let frame = PageFrame(title: title, look: look)
        return frame.document { html in
            frame.writeHeader(&html)
            html.block("main", ["id": "main", "class": "message"]) { html in
                html.element("h1", ["tabindex": "-1"], title)
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
                        html.element("button", "Begin anew")
                    }
                }
            }
        }
    }
}
