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
            guard introduction.isEmpty else {
                return .route(try routeBytes(&state), tag: tag(of: version), headers: introduction, isSecret: true)
            }
            if let response = state.routeResponse { return response }
            let response = HTTPResponse.route(try routeBytes(&state), tag: tag(of: version))
            state.routeResponse = response
            state.routeBytes = nil
            return response
        }
        if let current { return current }
        // Only an earlier version is left: nobody has to wait while the tree is made again as it was then.
        let former = version ?? 0
        let tree = try formerTree(at: former)
        return .route(
            RouteDocument.encode(tree.root.navigationState, session: id, version: former), tag: tag(of: former),
            headers: introduction, isSecret: !introduction.isEmpty)
    }

    /// The route document of the last committed version, encoded at most once.
    func routeBytes(_ state: inout State) throws(SessionError) -> [UInt8] {
        if let bytes = state.routeBytes { return bytes }
        let root = try tree(&state).root
        let bytes = RouteDocument.encode(root.navigationState, session: id, version: state.version)
        host.metrics.countRouteEncoding()
        state.routeBytes = bytes
        return bytes
    }

    /// A tree of its own, as the session's was after an event that is in the journal. Needs no lock.
    func formerTree(at version: Int) throws(SessionError) -> SessionTree {
        do throws(SessionError) {
            return try SessionTree(host: host, replaying: id, upTo: version)
        } catch {
            // The session may have ended in the meantime, and its history with it.
            try withState { _ throws(SessionError) in }
            throw error
        }
    }
}
