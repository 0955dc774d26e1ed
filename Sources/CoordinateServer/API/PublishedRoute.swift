internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// A session's route at one version, as it is sent: the document, and what is made of it for those who ask. Each is made
/// when it is first needed, once, and shared by all.
final class PublishedRoute: EncodedRoute {
    let version: Int
    let body: HTTPBody
    let tag: String
    private let response = AtomicLazyReference<HTTPResponse>()
    private let notModified = AtomicLazyReference<HTTPResponse>()
    private let message = AtomicLazyReference<HTTPBody>()

    init(_ body: HTTPBody, version: Int, tag: String) {
        self.version = version
        self.body = body
        self.tag = tag
    }

    /// The answer to `GET`.
    var asResponse: HTTPResponse {
        response.load() ?? response.storeIfNil(.route(body, tag: tag))
    }

    /// The answer to who has it already.
    var asNotModified: HTTPResponse {
        notModified.load() ?? notModified.storeIfNil(.notModified(tag: tag))
    }

    /// The message to those who follow.
    var asMessage: HTTPBody {
        message.load() ?? message.storeIfNil(StreamMessage.route(body, version: version))
    }
}

extension HostedApp {
    /// Encodes routes for the sessions of this app.
    var routeEncoder: RouteEncoder {
        { [self] state, session, version in
            PublishedRoute(
                RouteDocument.encode(state, session: session, version: version), version: version,
                tag: RouteTag.text(version: version, session: session, app: self))
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
