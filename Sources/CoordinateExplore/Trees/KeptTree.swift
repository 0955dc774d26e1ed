internal import Synchronization

/// A tree that is passed on from whoever has made it to whoever goes on with it, on whatever thread.
final class KeptTree: Sendable {
    private let tree: Mutex<ExploredTree?>

    init(_ tree: sending ExploredTree) {
        self.tree = Mutex(tree)
    }

    /// The tree, once.
    func take() -> sending ExploredTree? {
        tree.withLock { kept in
            let tree = kept
            kept = nil
            return tree
        }
    }
}
