// A section is the part of a navigation stack that belongs to one coordinator: the owner, if it is on the stack itself,
// and the guests that it pushed. See ``SectionedNavigationController``.
extension CoordinatorNode {
    /// The navigation coordinator whose stack contains this coordinator's section; `nil` if there is none.
    final var sectionStack: CoordinatorNode? {
        hasSection ? withAncestors.dropFirst().first { $0.kind == .navigation } : nil
    }

    /// The entries of this coordinator's section, bottom first.
    final var sectionEntries: [CoordinatorNode] {
        sectionStack?.children.filter { $0 === self || $0.parentNode === self } ?? []
    }

    /// The coordinators that this one pushed, bottom first.
    final var guests: [CoordinatorNode] {
        sectionStack?.children.filter { $0.parentNode === self } ?? []
    }

    /// Returns the top-most coordinator that this one pushed and that satisfies a condition.
    final func lastGuest(where isRight: (CoordinatorNode) -> Bool = { _ in true }) -> CoordinatorNode? {
        sectionStack?.children.last { $0.parentNode === self && isRight($0) }
    }

    /// Returns whether a coordinator is on the stack because this one pushed it.
    final func hasGuest(_ guest: CoordinatorNode) -> Bool {
        hasSection && guest.parentNode === self && sectionStack?.children.contains(guest) == true
    }

    /// The name of the coordinator whose section of a shared stack contains this one; `nil` if it is in no section.
    final var sectionName: String? {
        if hasSection { return nameInParent }
        guard let parentNode, parentNode.hasSection else { return nil }
        return parentNode.nameInParent
    }
}
