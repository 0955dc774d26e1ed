/// A reference that does not keep its coordinator alive.
///
/// A `weak` reference would do the same, but it slows down every later use of the object: it moves the object's
/// reference counts into a side table. Each event visits each coordinator on its way up.
///
/// It cannot be read in the deinitializer of a subclass; a coordinator emits its last events in `stop(with:)`. The
/// memory of a coordinator stays allocated until the last such reference is released.
final class CoordinatorReference {
    private unowned let target: CoordinatorNode
    /// Whether the coordinator is gone. Its deinitializer sets this.
    var isOver = false

    init(to node: CoordinatorNode) {
        target = node
    }

    var node: CoordinatorNode? { isOver ? nil : target }
}
