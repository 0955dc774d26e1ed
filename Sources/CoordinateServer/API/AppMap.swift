internal import Coordinate
internal import CoordinateExplore
internal import CoordinateSessions
internal import MicroHTTPD
internal import ProcessSupport
internal import Synchronization

/// The app's map: its states and the events between them. The first request creates it, and the server keeps it.
///
/// It is created on a low-priority thread, within limits. Its trees belong to no session, and their work is never
/// started. But it runs the app's code in this process: if that code traps, the server ends, even if no session has
/// reached that state.
final class AppMap: Sendable {
    /// The most states.
    static let maximumStates = 2_000
    /// The longest time for creating the map. States not found by then are left out.
    static let longestTime = Duration.seconds(120)

    private enum Stage {
        case unknown
        case underWay
        case made(TaggedResponse)
    }

    private let app: any CoordinatedApp
    private let stage = Mutex(Stage.unknown)
    private let isStopped = Atomic(false)

    init(of app: any CoordinatedApp) {
        self.app = app
    }

    /// The map; `nil` while it is being created, which starts with the first request.
    var response: TaggedResponse? {
        stage.withLock { stage in
            switch stage {
            case .made(let response): return response
            case .underWay: return nil
            case .unknown:
                stage = .underWay
                BackgroundThread(name: "map").async { self.make() }
                return nil
            }
        }
    }

    /// Stops creating the map, and keeps what has been found.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func make() {
        let end = ContinuousClock.now + Self.longestTime
        let graph = app.explore(key: .offer, maxStates: Self.maximumStates) {
            !self.isStopped.load(ordering: .relaxed) && ContinuousClock.now < end
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

extension API {
    /// `GET /map`: the app's states and the events between them, or a status while they are being found.
    func getMap(_ request: borrowing HTTPRequest) -> HTTPResponse {
        map.response?.response(to: request) ?? Self.mapUnderWay
    }

    private static let mapUnderWay = HTTPResponse.json(
        HTTPBody(#"{"status":"underway"}"#), status: .accepted, headers: [.retryAfter: "1"], isSecret: true)
}
