internal import Coordinate
public import CoordinateServer
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD
internal import ProcessSupport
internal import Synchronization

extension HostEndpoint {
    /// The app's map, at `/map`: its states, the events between them, and a document of each screen.
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
    /// The longest time for which a request waits for the document of the start.
    private static let longestWaitForStart = Duration.seconds(1)

    /// What a request waits for.
    private enum Goal {
        /// The document of the start.
        case start
        case map
    }

    private struct State {
        var isBegun = false
        /// The documents that were created so far; empty once the map has them.
        var documents: MapDocuments
        /// The map; `nil` until it is created.
        var response: TaggedResponse?
        var waiters: [Int: (goal: Goal, reached: AsyncStream<Void>.Continuation)] = [:]
        var lastWaiter = 0

        func hasReached(_ goal: Goal) -> Bool {
            response != nil || goal == .start && !documents.isEmpty
        }
    }

    private let state: Mutex<State>

    init(documents: MapDocuments = MapDocuments()) {
        state = Mutex(State(documents: documents))
    }

    func appendEndpoint(to parts: inout ServerParts) {
        parts.endpoints.append(
            Endpoint(.get, "/map", .develop) { api, request, _ in self.answer(to: request, api) })
    }

    /// The map; `nil` until it is created.
    var response: TaggedResponse? { state.withLock(\.response) }

    // MARK: Requests

    /// Answers with the map, or with the documents that were created so far. The first request begins the creation.
    ///
    /// A request with `Prefer: wait` waits for the map, and any other one for the document of the start.
    private func answer(to request: borrowing HTTPRequest, _ api: API) -> HTTPAnswer {
        begin(for: api)
        let (known, time) = (request.knownTags(), request.waitingTime())
        let goal = time == nil ? Goal.start : .map
        if state.withLock({ $0.hasReached(goal) }) { return .now(response(unless: known)) }
        return api.answer(
            atMost: time ?? Self.longestWaitForStart, isWork: false, otherwise: { self.response(unless: known) },
            respond: {
                await self.wait(for: goal)
                return self.response(unless: known)
            })
    }

    private func response(unless known: EntityTags?) -> HTTPResponse {
        let (response, documents) = state.withLock { ($0.response, $0.documents) }
        if let response { return response.response(unless: known) }
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("status", "underway")
            documents.write(to: &$0)
        }
        return .json(HTTPBody(json.finish()), status: .accepted, headers: [.retryAfter: "1"], isSecret: true)
    }

    /// Waits until a goal is reached or the task is cancelled.
    private func wait(for goal: Goal) async {
        let (stream, reached) = AsyncStream<Void>.makeStream()
        let id = state.withLock { state in
            state.lastWaiter += 1
            if state.hasReached(goal) { reached.finish() } else { state.waiters[state.lastWaiter] = (goal, reached) }
            return state.lastWaiter
        }
        for await _ in stream {}
        state.withLock { $0.waiters[id] = nil }
    }

    // MARK: Creation

    private func begin(for api: API) {
        let isFirst = state.withLock { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
        if isFirst { BackgroundThread(name: "map").async { self.make(for: api) } }
    }

    /// Creates the map. A server that stops keeps what has been found.
    private func make(for api: API) {
        let end = ContinuousClock.now + Self.longestTime
        let crew = Crew(width: 1, mayContinue: { !api.isDraining && ContinuousClock.now < end })
        let graph = api.app.app.explore(by: .offer, nil, Self.maximumStates, 0, crew, found: record)
        let documents = state.withLock(\.documents)
        let json = graph.json {
            documents.write(to: &$0)
            $0.field("screensWithoutDocument", documents.missingCount)
        }
        api.budget.charge(json.count, to: .answers)
        let response = TaggedResponse(to: json, cacheControl: "private, no-cache") { caching in
            HTTPResponse(
                status: .ok,
                headers: caching + [.contentType: MediaType.json, .xContentTypeOptions: "nosniff"],
                body: HTTPBody(json))
        }
        change {
            $0.response = response
            $0.documents = MapDocuments()
        }
    }

    /// Keeps the document of a state that was found, if its screen lacks one.
    private func record(_ id: Int, _ node: Node) {
        guard state.withLock({ $0.documents.lack(id, node) }),
            let document = node.kept?.routeDocument(at: node.journal.count)
        else { return }
        change { $0.documents.insert(document, of: id, node) }
    }

    /// Changes the state, and resumes the requests that waited for it.
    private func change(_ body: (inout State) -> Void) {
        let served = state.withLock { state in
            body(&state)
            return state.waiters.values.filter { state.hasReached($0.goal) }
        }
        for waiter in served { waiter.reached.finish() }
    }
}
