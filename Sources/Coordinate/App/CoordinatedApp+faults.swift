extension CoordinatedApp {
    /// The mistakes in the app's declarations and in its start, as sentences for the app's author. A server does not
    /// start while there are any.
    ///
    /// ```swift
    /// @Test func itsDeclarationsAreSound() {
    ///     #expect(ShopApp().faults == [])
    /// }
    /// ```
    ///
    /// The check creates a root and starts it once; requested work does not begin. It tries each declaration with
    /// values: the app's ``samples``, the choices of the type, or any text or number. It skips a declaration for which
    /// it cannot create a value.
    ///
    /// - The root: the app creates none, it overrides `start(with:)` without calling `super`, or its start fails; or a tab
    ///   or another coordinator that starts later lacks its dependencies or its argument.
    /// - Events: two events or two fields have one name; a domain or a name is empty, or has a dot or a space; a secret
    ///   would be recorded; a declaration creates a different case from the one that its closure matches.
    /// - Routes: a pattern is malformed; routes contain themselves; an earlier case reads all paths of a later one; a
    ///   declaration creates a different case from the one that its closure matches; ``routes`` lacks the routes of the
    ///   root, or the path that the root starts at.
    /// - Options: two have the same name; one has no name, is a secret, or has a default that no client could send.
    /// - Samples: the app does not declare the event, the field or the path.
    ///
    /// ``NavigationState/diagnostics`` has the mistakes that show only while the app runs.
    public var faults: [String] {
        let tree = TreeRunner(self, options: .object([]), seed: 0, events: events.types)
        let dependencies = tree.root.ownDependencies
        let declared =
            events.faults(in: dependencies, samples) + routes.faults(in: dependencies) + Options.declaration.faults
            + sampleFaults
        return declared + (startFault(of: tree, isDeclaredWell: declared.isEmpty).map { [$0] } ?? [])
    }

    /// Starts a tree, and returns the fault that this reveals; `nil` if there is none.
    ///
    /// - Parameter isDeclaredWell: Whether the declarations have no faults. If they have some, a failing start may only
    ///   be a consequence.
    private func startFault(of tree: borrowing TreeRunner, isDeclaredWell: Bool) -> String? {
        let root = tree.root
        if root is MissingRootCoordinator { return "\(Self.self) \(MissingRoot())" }
        var failure: (any Error)?
        do { try tree.start(at: Timestamp(seconds: 0)) } catch { failure = error }
        if let missing = failure as? Diagnostic, missing == root.missingBelow { return "\(missing)" }
        if !root.hasBegun {
            let diagnostic = Diagnostic.superNotCalled(type: root.className, method: "start(with:)")
            return "\(diagnostic): call super.start(with: completion) in it"
        }
        if let fault = routes.fault(of: root, in: "\(Self.self)") { return fault }
        guard isDeclaredWell else { return nil }
        if let failure { return "\(root.className) fails when it starts: \(failure)" }
        if let missing = root.missingBelow { return "\(missing)" }
        return routes.fault(ofStart: root, in: "\(Self.self)")
    }
}
