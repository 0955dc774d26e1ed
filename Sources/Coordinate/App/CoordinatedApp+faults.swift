extension CoordinatedApp {
    /// The mistakes in the app's declarations and in its start, in words for its author. A server does not start with
    /// any.
    ///
    /// ```swift
    /// @Test func itsDeclarationsAreSound() {
    ///     #expect(ShopApp().faults == [])
    /// }
    /// ```
    ///
    /// To find them, a root is made and started once; work that it asks for does not begin. Each declaration is tried
    /// with values: those of the app's ``samples``, the choices of its type, or any text or number. A declaration for
    /// which no value can be made is not tried.
    ///
    /// - The root: there is none, it overrides `start(with:)` without calling `super`, or its start fails.
    /// - Events: two events or two fields have one name; a domain or a name is empty, or has a dot or a space; a secret
    ///   would be recorded; a declaration makes another case than its closure matches.
    /// - Routes: a pattern is malformed; routes lead on to themselves; a case is never reached, as one before it reads
    ///   the same paths; a declaration makes another case than its closure matches; ``routes`` does not have the routes
    ///   of the root, or not the path that it starts at.
    /// - Options: two have one name, one has none, is a secret, or has a default that no client could send.
    /// - Samples: the app does not have the event, the field or the path.
    ///
    /// Mistakes that only show later are in ``NavigationState/diagnostics``.
    public var faults: [String] {
        let tree = TreeRunner(self, options: .object([]), seed: 0, events: events.types)
        let dependencies = tree.root.ownDependencies
        let declared =
            events.faults(in: dependencies, samples) + routes.faults(in: dependencies) + Options.declaration.faults
            + sampleFaults
        return declared + (startFault(of: tree, isDeclaredWell: declared.isEmpty).map { [$0] } ?? [])
    }

    /// The fault that the start of a tree shows, nil if there is none.
    ///
    /// - Parameter isDeclaredWell: Whether the declarations have no faults, of which a failing start may be a
    ///   consequence.
    private func startFault(of tree: borrowing TreeRunner, isDeclaredWell: Bool) -> String? {
        let root = tree.root
        if root is MissingRootCoordinator { return "\(Self.self) \(MissingRoot())" }
        var failure: (any Error)?
        do { try tree.start(at: Timestamp(seconds: 0)) } catch { failure = error }
        if !root.hasBegun {
            let diagnostic = Diagnostic.superNotCalled(type: root.className, method: "start(with:)")
            return "\(diagnostic): call super.start(with: completion) in it"
        }
        if let fault = routes.fault(of: root, in: "\(Self.self)") { return fault }
        guard isDeclaredWell else { return nil }
        if let failure { return "\(root.className) fails when it starts: \(failure)" }
        return routes.fault(ofStart: root, in: "\(Self.self)")
    }
}
