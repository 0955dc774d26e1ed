/// The coordinators of a tree at one moment, to find those that leave it without an end.
package struct TreeMembers {
    private let all: [CoordinatorReference]

    package init(of root: CoordinatorNode) {
        all = root.withAllOwned.map(\.reference)
    }

    /// Returns the name of the first of them that has left the tree and is still started; `nil` if there is none.
    package func survivor(outside root: CoordinatorNode) -> String? {
        let present = Set(root.withAllOwned.map { ObjectIdentifier($0) })
        let survivor = all.lazy.compactMap(\.node).first { $0.isStarted && !present.contains(ObjectIdentifier($0)) }
        return survivor?.identifier
    }
}

extension CoordinatorNode {
    /// This coordinator and everything that it owns, at any depth.
    fileprivate final var withAllOwned: [CoordinatorNode] { [self] + ownedNodes.flatMap(\.withAllOwned) }
}
