package import Coordinate
package import CoordinateSessions
package import MicroHTTPD

/// A session's encoded route at one version: the document, its response and its stream message. Each is created when it
/// is first needed, and shared by all clients.
package final class PublishedRoute: EncodedRoute {
    package let version: Int
    /// What the route shows.
    package let visible: VisibleState
    package let body: HTTPBody
    package let session: SessionID
    private let app: HostedApp
    private let current = LazyValue<CurrentRoute>()
    private let message = LazyValue<HTTPBody>()
    private let reset = LazyValue<HTTPBody>()

    init(_ body: HTTPBody, _ visible: VisibleState, of session: SessionID, version: Int, app: HostedApp) {
        self.visible = visible
        self.version = version
        self.body = body
        self.session = session
        self.app = app
    }

    /// Whether nothing but timers is pending in it.
    package var isSettled: Bool { visible.pending.allSatisfy { $0.due != nil } }

    /// The size of the document and the message in bytes, even before the message is created.
    package var size: Int { 2 * body.count }

    /// The responses to `GET`.
    var asCurrent: CurrentRoute {
        current.value { CurrentRoute(body, tag: RouteTag.text(version: version, session: session, app: app)) }
    }

    /// The message for the streams that follow the session.
    var asMessage: HTTPBody {
        message.value { StreamMessage.route(body, version: version) }
    }

    /// The message for a stream that starts anew.
    var asReset: HTTPBody {
        reset.value { StreamMessage.route(body, version: version, as: .reset) }
    }
}

/// The responses with a route while its version is the current one.
final class CurrentRoute: Sendable {
    let tag: String
    let response: HTTPResponse
    private let unchanged = LazyValue<HTTPResponse>()

    init(_ body: HTTPBody, tag: String) {
        self.tag = tag
        response = .route(body, tag: tag)
    }

    /// The response to a client that already has the route.
    var notModified: HTTPResponse {
        unchanged.value { .notModified(response.body, tag: tag) }
    }
}

extension HostedApp {
    /// Encodes routes for the sessions of this app.
    var routeEncoder: RouteEncoder {
        { [self] state, session, version in
            PublishedRoute(
                RouteDocument.encode(state, session: session, version: version), state.visible, of: session,
                version: version, app: self)
        }
    }
}

extension EncodedRoute {
    /// The route as an encoded one. All routes of a server are encoded by ``HostedApp/routeEncoder``.
    package var published: PublishedRoute {
        guard let published = self as? PublishedRoute else { preconditionFailure("a route of another server") }
        return published
    }
}
