internal import Coordinate
public import CoordinateServer
internal import CoordinateSessions
internal import MicroHTTPD
internal import ProcessSupport
internal import Synchronization

extension HostEndpoint {
    /// The app's map, at `/map`: its states and the events between them.
    public static var map: HostEndpoint {
        HostEndpoint { parts throws(ServerError) in AppMap().appendEndpoint(to: &parts) }
    }
}

/// The app's map. The first request creates it, and the server keeps it.
///
/// It is created on a low-priority thread, within limits. Its trees belong to no session, and their work is never
/// started. But it runs the app's code in this process: if that code traps, the server ends, even if no session has
/// reached that state.
final class AppMap: Sendable {
    /// The most states.
    private static let maximumStates = 2_000
    /// The longest time for creating the map. States not found by then are left out.
    private static let longestTime = Duration.seconds(120)

    private enum Stage {
        case unknown
        case underWay
        case made(TaggedResponse)
    }

    private let stage = Mutex(Stage.unknown)

    func appendEndpoint(to parts: inout ServerParts) {
        parts.endpoints.append(
            Endpoint(.get, "/map", .develop) { api, request, _ in .now(self.response(to: request, api)) })
    }

    /// The map; `nil` until it is created.
    var response: TaggedResponse? {
        stage.withLock { if case .made(let response) = $0 { response } else { nil } }
    }

    /// The map, or a status while it is being created, which starts with the first request.
    func response(to request: borrowing HTTPRequest, _ api: API) -> HTTPResponse {
        stage.withLock { stage in
            guard case .unknown = stage else { return }
            stage = .underWay
            BackgroundThread(name: "map").async { self.make(for: api) }
        }
        return response?.response(to: request) ?? Self.underWay
    }

    private static let underWay = HTTPResponse.json(
        HTTPBody(#"{"status":"underway"}"#), status: .accepted, headers: [.retryAfter: "1"], isSecret: true)

    /// Creates the map. A server that stops keeps what has been found.
    private func make(for api: API) {
        let end = ContinuousClock.now + Self.longestTime
        let graph = api.app.app.explore(key: .offer, maxStates: Self.maximumStates) {
            !api.isDraining && ContinuousClock.now < end
        }
        let json = graph.json
        let response = TaggedResponse(to: json, cacheControl: "private, no-cache") { caching in
            HTTPResponse(
                status: .ok,
                headers: caching + [.contentType: MediaType.json, .xContentTypeOptions: "nosniff"],
                body: HTTPBody(json))
        }
        stage.withLock { $0 = .made(response) }
    }
}
