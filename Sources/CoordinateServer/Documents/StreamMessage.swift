internal import MicroHTTPD

/// The messages of a live stream, in the form of server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum StreamMessage {
    /// The comment that is sent if there is nothing else to send.
    static let heartbeat = HTTPBody(":\n\n")

    /// The last message of an ended session.
    static let end = HTTPBody("event: end\ndata: {}\n\n")

    /// The kind of a message with a route.
    enum Kind: String {
        /// The first route, or the one after that of the last message.
        case route
        /// The current route, after some were skipped.
        case reset
    }

    /// - Parameter route: A route document on one line.
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
