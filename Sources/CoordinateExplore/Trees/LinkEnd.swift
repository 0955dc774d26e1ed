import Coordinate

/// The place to which a link leads in a new session.
enum LinkEnd: Equatable, Sendable {
    case screen(String, path: String)
    /// A guard redirects to this path.
    case redirected(to: String)
    case nowhere
    /// The turn fails.
    case failed(String)

    init(of path: String, in app: ExploredApp) {
        self = .nowhere
        do throws(StepError) {
            let tree = try ExploredTree(app)
            guard let parsed = RoutePath(path), app.app.routes.contains(parsed, in: tree.dependencies),
                let move = tree.opening(path)
            else { return }
            let (dispatch, end) = try tree.perform(move)
            if tree.root.wasRedirected {
                self = .redirected(to: end)
            } else if dispatch.isHandled {
                self = .screen(tree.root.visibleLeaf.getRootViewController().name, path: end)
            }
        } catch {
            if case .failed(let reason) = error { self = .failed(reason) }
        }
    }
}

extension ExploredApp {
    /// The place to which a state's own path leads in a new session, in words; `nil` if it leads to the state.
    ///
    /// An alert has no path of its own, and a path from which a guard redirects cannot be opened directly.
    func otherEnd(of state: NavigationState) -> String? {
        guard hasRoutes, state.screen.style != .alert, RoutePath(state.path) != nil else { return nil }
        switch end(of: state.path) {
        case .redirected: return nil
        case .nowhere: return "nowhere"
        case .failed(let reason): return "a turn that fails (\(reason))"
        case .screen(let screen, let path):
            return path == state.path && screen == state.screen.name ? nil : "\(screen) at \(path)"
        }
    }
}
