/// The terms on which a coordinator is shown: the route it stands for, and whoever waits for its result.
struct ShowingTerms {
    var route: ShownRoute?
    var result: ResultHandler?
}

extension CoordinatorNode {
    /// Shows a coordinator on these terms, by whatever method of this one shows it: an app may have overridden that.
    final func show(_ target: any Coordinating, on terms: ShowingTerms, by show: () -> Void) {
        let node = target.node
        node.terms = terms
        show()
        node.takeTerms()?.result?.tell()
    }

    /// Shows a coordinator on these terms.
    @discardableResult
    final func takeTerms() -> ShowingTerms? {
        guard let terms else { return nil }
        self.terms = nil
        return terms
    }
}
