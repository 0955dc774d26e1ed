internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

/// A session's route at one version, as it is sent: the document, and what is made of it for those who ask. Each is made
/// when it is first needed, once, and shared by all.
final class PublishedRoute: EncodedRoute {
    let version: Int
    let body: HTTPBody
    /// Whether nothing but timers is pending in it.
    let isSettled: Bool
    private let session: SessionID
    private let app: HostedApp
    private let current = MadeOnce<CurrentRoute>()
    private let message = MadeOnce<HTTPBody>()

    init(_ body: HTTPBody, of session: SessionID, version: Int, isSettled: Bool, app: HostedApp) {
        self.isSettled = isSettled
        self.version = version
        self.body = body
        self.session = session
        self.app = app
    }

    /// The document and the message, be it there or not.
    var size: Int { 2 * body.count }

    /// What `GET` is answered with.
    var asCurrent: CurrentRoute {
        current.value { CurrentRoute(body, tag: RouteTag.text(version: version, session: session, app: app)) }
    }

    /// The message to those who follow.
    var asMessage: HTTPBody {
        message.value { StreamMessage.route(body, version: version) }
    }
}

/// The answers to those who ask for a route while its version is the last.
final class CurrentRoute: Sendable {
    let tag: String
    let response: HTTPResponse
    private let unchanged = MadeOnce<HTTPResponse>()

    init(_ body: HTTPBody, tag: String) {
        self.tag = tag
        response = .route(body, tag: tag)
    }

    /// The answer to who has it already.
    var notModified: HTTPResponse {
        unchanged.value { .notModified(tag: tag) }
    }
}

extension HostedApp {
    /// Encodes routes for the sessions of this app.
    var routeEncoder: RouteEncoder {
        { [self] state, session, version in
            PublishedRoute(
                RouteDocument.encode(state, session: session, version: version), of: session, version: version,
                isSettled: state.pending.allSatisfy { $0.due != nil }, app: self)
        }
    }
}

extension EncodedRoute {
    /// All routes of a server are encoded by ``HostedApp/routeEncoder``.
    var published: PublishedRoute {
        guard let published = self as? PublishedRoute else { preconditionFailure("a route of another server") }
        return published
    }
}
