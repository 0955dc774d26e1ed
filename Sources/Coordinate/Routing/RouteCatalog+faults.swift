extension RouteCatalog {
    /// The fault of an app whose catalog does not have the routes of its root, `nil` if there is none.
    ///
    /// - Parameter app: The name of the app's type.
    func fault(of root: CoordinatorNode, in app: String) -> String? {
        func routes<Root: HasRoutes>(of root: Root.Type) -> Any.Type { Root.RouteType.self }
        guard let routed = type(of: root) as? any HasRoutes.Type,
            let type = routes(of: routed) as? any DeclaredRoutes.Type, type != self.root
        else { return nil }
        let remedy = "make it RouteCatalog(\(Self.name(of: type)).self)"
        guard let own = self.root else {
            return "\(app).routes is empty, and its root \(root.className) has routes: \(remedy)"
        }
        return "\(app).routes is made of \(Self.name(of: own)), and its root \(root.className) has other routes: "
            + remedy
    }

    /// The fault of an app whose catalog does not have the path of its root after the start, `nil` if there is none.
    func fault(ofStart root: CoordinatorNode, in app: String) -> String? {
        let path = root.routePath
        guard root.facts.declaresRoutes, let type = self.root, !contains(path, in: root.ownDependencies) else {
            return nil
        }
        return "\(app) starts at \(path.link), and \(app).routes does not have that path: declare each case of "
            + "\(Self.name(of: type)) that shows a coordinator with routes as nested"
    }

    /// The name of a type with those of the types around it: `AppCoordinator.Route`.
    private static func name(of type: any DeclaredRoutes.Type) -> String {
        let whole = String(reflecting: type)
        // Arguments of generic types have modules of their own.
        guard !whole.contains("<") else { return "\(type)" }
        return whole.split(separator: ".").dropFirst().filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }
}
