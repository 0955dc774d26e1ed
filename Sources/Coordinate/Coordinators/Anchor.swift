/// The way back to a coordinator from what it owns: nil once the coordinator is gone.
///
/// A `weak` reference would do the same, but it makes every later use of the object it leads to slower (it moves the
/// object's reference counts into a side table), and each event passes each coordinator on its way up.
///
/// It cannot be followed from the deinitializer of a subclass: a coordinator emits its last events in `stop(with:)`.
final class Anchor {
    /// Set by the coordinator: itself in its initializer, nil in its deinitializer.
    unowned var node: CoordinatorNode?
}
