internal import Coordinate
internal import MicroHTTPD

extension Session {
    /// Tells the route of one version of this session from all others, also other sessions': a strong entity tag.
    func tag(of version: Int) -> String {
        "\"\(version)-\(id.fingerprint)\""
    }

    /// The route as an answer. That of the current version is made at most once, and shared by all who ask for it.
    ///
    /// - Parameters:
    ///   - version: After which event; nil for the last.
    ///   - preconditions: What the client knows; it need not be told again.
    ///   - introduction: Headers for one client alone.
    func route(
        at version: Int? = nil, if preconditions: Preconditions = .none,
        introducedBy introduction: [(name: String, value: String)] = []
    ) throws(SessionError) -> HTTPResponse {
        let current = try withState { state throws(SessionError) -> HTTPResponse? in
            let version = version ?? state.version
            guard version <= state.version else { throw .unknownVersion(current: state.version) }
            if preconditions.know(tag(of: version)) { return .notModified(tag: tag(of: version)) }
            guard version == state.version else { return nil }
            return try currentRoute(&state, introducedBy: introduction)
        }
        if let current { return current }
        // An earlier version is wanted: nobody has to wait while the tree is made again as it was then.
        let former = version ?? 0
        return .route(try routeBody(of: formerTree(at: former), version: former), tag: tag(of: former))
    }

    /// The route of the last committed version, as an answer.
    func currentRoute(
        _ state: inout State, introducedBy introduction: [(name: String, value: String)] = []
    ) throws(SessionError) -> HTTPResponse {
        guard introduction.isEmpty else {
            return .route(
                try routeBody(&state), tag: tag(of: state.version), headers: introduction, isSecret: true)
        }
        if let response = state.routeResponse { return response }
        let response = HTTPResponse.route(try routeBody(&state), tag: tag(of: state.version))
        state.routeResponse = response
        return response
    }

    /// The route document of the last committed version, encoded at most once.
    func routeBody(_ state: inout State) throws(SessionError) -> HTTPBody {
        if let body = state.routeBody { return body }
        let body = routeBody(of: try tree(&state), version: state.version)
        host.metrics.countRouteEncoding()
        state.routeBody = body
        return body
    }

    func routeBody(of tree: SessionTree, version: Int) -> HTTPBody {
        RouteDocument.encode(tree.root.navigationState, session: id, version: version)
    }

    /// A tree of its own, as the session's was after an event that is in the journal. Needs no lock.
    func formerTree(at version: Int) throws(SessionError) -> SessionTree {
        try unlessEnded { () throws(SessionError) in try SessionTree(host: host, replaying: id, upTo: version) }
    }
}
