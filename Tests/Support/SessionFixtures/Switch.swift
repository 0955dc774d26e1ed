internal import Synchronization

/// A value that is on or off, for all threads.
package final class Switch: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isOn: Bool {
        get { state.load(ordering: .acquiring) }
        set { state.store(newValue, ordering: .releasing) }
    }
}
