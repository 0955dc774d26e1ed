internal import MicroHTTPD

/// The messages of a live stream: section 8 of the contract, in the form of server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum StreamMessage {
    /// The comment that is sent when there is nothing else to send.
    static let heartbeat = HTTPBody(":\n\n")

    /// The message that the session has ended: no other follows it.
    static let end = HTTPBody("event: end\ndata: {}\n\n")

    /// The kind of a message with a route.
    enum Kind: String {
        /// The first route, or that of the version after the last message's.
        case route
        /// The current route, where some in between were left out.
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
