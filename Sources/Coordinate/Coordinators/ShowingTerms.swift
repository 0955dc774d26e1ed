/// The terms on which a coordinator is shown: the route it stands for, and whoever waits for its result.
struct ShowingTerms {
    var route: ShownRoute?
    var result: ResultHandler?

    /// No terms at all.
    init() {}

    /// The terms of what is shown for a route.
    init(for route: Any) {
        self.route = ShownRoute(route)
    }

    /// The terms of a flow, whose result a coordinator waits for.
    init<Value>(of presenter: CoordinatorNode, for route: Any? = nil, _ told: @escaping (Value?) -> Void) {
        self.route = route.map(ShownRoute.init)
        result = ResultHandler(of: presenter, told)
    }
}

extension CoordinatorNode {
    /// Shows a coordinator on these terms, by a method that takes none: an app may have overridden it.
    final func show(_ target: any Coordinating, on terms: ShowingTerms, by show: () -> Void) {
        let node = target.node
        node.terms = terms
        show()
        if let result = node.takeTerms()?.result { tree.refuse(result.tell) }
    }

    /// Hands over the terms on which this coordinator is to be shown, to whoever shows it; nil where nobody has set any.
    @discardableResult
    final func takeTerms() -> ShowingTerms? {
        guard let terms else { return nil }
        self.terms = nil
        return terms
    }
}
