import Coordinate

extension ExploredApp {
    /// The place to which a state's own path leads in a new session, in words, where that is another one; nil where it
    /// leads to the state.
    ///
    /// An alert has no path of its own; and where a guard redirects, the path cannot be opened directly.
    func otherEnd(of state: NavigationState) -> String? {
        guard hasRoutes, state.screen.style != .alert, let path = RoutePath(state.path) else { return nil }
        do throws(StepError) {
            let tree = try ExploredTree(self)
            guard app.routes.contains(path, in: tree.dependencies) else { return "nowhere" }
            guard let move = tree.opening(state.path) else { return nil }
            let (dispatch, end) = try tree.take(move)
            guard !tree.root.wasRedirected else { return nil }
            guard dispatch.isHandled else { return "nowhere" }
            let screen = tree.root.visibleLeaf.getRootViewController().name
            return end == state.path && screen == state.screen.name ? nil : "\(screen) at \(end)"
        } catch {
            if case .failed(let reason) = error { return "a turn that fails (\(reason))" }
            return "nowhere"
        }
    }
}
