/// A reference to a coordinator that does not keep it: `nil` once the coordinator is gone.
///
/// A `weak` reference would do the same, but it makes every later use of the object it leads to slower (it moves the
/// object's reference counts into a side table), and each event passes each coordinator on its way up.
///
/// It cannot be followed from the deinitializer of a subclass: a coordinator emits its last events in `stop(with:)`. The
/// memory of a coordinator that is gone stays until the last reference to it is released.
final class CoordinatorReference {
    private unowned let target: CoordinatorNode
    /// True once the coordinator is gone, which sets it in its deinitializer.
    var isOver = false

    init(to node: CoordinatorNode) {
        target = node
    }

    /// The coordinator; `nil` once it is gone.
    var node: CoordinatorNode? { isOver ? nil : target }
}
