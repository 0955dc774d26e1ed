extension [CoordinatorNode] {
    /// These, each after all of them that it owns; others in the order in which their owners have them.
    var innermostFirst: [CoordinatorNode] {
        if zip(self, dropFirst()).allSatisfy({ $1.parentNode === $0 }) { return reversed() }
        return map { (node: $0, way: $0.positionsFromRoot) }.sorted { one, other in
            for (position, otherPosition) in zip(one.way, other.way) where position != otherPosition {
                return position < otherPosition
            }
            return one.way.count > other.way.count
        }.map(\.node)
    }
}

extension CoordinatorNode {
    /// The positions, each in its owner, of those around this coordinator and of itself.
    fileprivate final var positionsFromRoot: [Int] {
        sequence(first: self, next: \.parentNode).map(\.positionInOwner).reversed()
    }

    /// The position among the nodes that the parent owns, if not the number of it: what is retained comes first, then what
    /// is on the screen, then modals, then what it has on a stack that it shares.
    private final var positionInOwner: Int {
        guard let parentNode else { return 0 }
        let step = TreeContext.maximumNodes
        if let position = parentNode.retainedChildren.position(of: self) { return position }
        if let position = parentNode.children.position(of: self) { return step + position }
        if let position = parentNode.modals.position(of: self) { return 2 * step + position }
        return 3 * step + (parentNode.section?.stack?.children.position(of: self) ?? step)
    }
}
