extension RouteCatalog {
    /// Returns the fault of a catalog that lacks the routes of the root; `nil` if it has them.
    ///
    /// - Parameter app: The name of the app's type.
    func fault(of root: CoordinatorNode, in app: String) -> String? {
        func routes<Root: HasRoutes>(of root: Root.Type) -> Any.Type { Root.RouteType.self }
        guard let routed = type(of: root) as? any HasRoutes.Type,
            let type = routes(of: routed) as? any DeclaredRoutes.Type, type != self.root
        else { return nil }
        let remedy = "make it RouteCatalog(\(Self.name(of: type)).self)"
        guard let own = self.root else {
            return "\(app).routes is empty, but its root \(root.className) has routes: \(remedy)"
        }
        return "\(app).routes lists \(Self.name(of: own)), but its root \(root.className) has other routes: "
            + remedy
    }

    /// Returns the fault of a catalog that lacks the path of the root after its start; `nil` if it has the path.
    func fault(ofStart root: CoordinatorNode, in app: String) -> String? {
        let path = root.routePath
        guard root.metadata.declaresRoutes, let type = self.root, !contains(path, in: root.ownDependencies) else {
            return nil
        }
        return "\(app) starts at \(path.link), but \(app).routes does not have that path: declare each case of "
            + "\(Self.name(of: type)) that shows a coordinator with routes as nested"
    }

    /// Returns the name of a type with those of the types that contain it: `AppCoordinator.Route`.
    private static func name(of type: any DeclaredRoutes.Type) -> String {
        let whole = String(reflecting: type)
        // Generic arguments have their own module names, so only the short name is used.
        guard !whole.contains("<") else { return "\(type)" }
        return whole.split(separator: ".").dropFirst().filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }
}
