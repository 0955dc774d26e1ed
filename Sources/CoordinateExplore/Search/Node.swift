import Coordinate

/// A state as it was found, with the moves in it.
struct Node: Sendable {
    let key: String
    let journal: [Move]
    let picture: NavigationState
    let offer: StateOffer
    let moves: [Move]
    /// The pending work whose success cannot be tried.
    let workWithoutSamples: [WorkWithoutSamples]
    /// The tree that has found it; `nil` if it was released.
    var kept: KeptTree?

    /// - Parameter app: The app of the tree.
    init(_ tree: sending ExploredTree, key: String, after journal: [Move], in app: ExploredApp) {
        let picture = tree.picture
        self.key = key
        self.journal = journal
        self.picture = picture
        offer = StateOffer(of: picture, facts: tree.facts)
        var moves = tree.moves(in: picture)
        if journal.isEmpty {
            for link in app.links { tree.opening(link).map { moves.insert($0) } }
        }
        self.moves = moves.all
        workWithoutSamples = moves.workWithoutSamples
        kept = KeptTree(tree)
    }
}

extension StateKey {
    /// The key of a tree's present state.
    func text(of tree: ExploredTree, at path: String) -> String {
        switch self {
        case .path: path
        case .screen: tree.root.visibleLeaf.getRootViewController().name
        case .offer, .document: text(of: tree.picture, facts: tree.facts, at: tree.now)
        }
    }
}
