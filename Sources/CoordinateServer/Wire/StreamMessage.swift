internal import MicroHTTPD

/// What a live stream consists of: section 8 of the contract, in the form of server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum StreamMessage {
    /// What is sent when there is nothing to say.
    static let heartbeat = HTTPBody(":\n\n")

    /// The session has ended: nothing will follow.
    static let end = HTTPBody("event: end\ndata: {}\n\n")

    /// What kind of message a route comes in.
    enum Kind: String {
        /// The route of the version after the last message's, or the first one.
        case route
        /// The current route, and some in between were left out.
        case reset
    }

    /// - Parameter route: A route document, which is all on one line.
    static func route(_ route: HTTPBody, version: Int, as kind: Kind = .route) -> HTTPBody {
        var writer = HTTPBodyWriter(capacity: route.count + 64)
        writer.append(literal: "id: ")
        writer.append(String(version))
        writer.append(literal: "\nevent: ")
        writer.append(kind.rawValue)
        writer.append(literal: "\ndata: ")
        writer.append(route)
        writer.append(literal: "\n\n")
        return writer.finish()
    }
}
