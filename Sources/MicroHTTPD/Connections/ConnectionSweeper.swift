internal import Dispatch

/// Closes connections whose request does not get finished, once in a while.
///
/// A connection is closed at the earliest when its deadline has passed and at the latest two periods after that.
final class ConnectionSweeper {
    private let timer: any DispatchSourceTimer

    init(registry: ConnectionRegistry, deadline: Duration) {
        let period = min(max(deadline / 8, .milliseconds(5)), .seconds(1))
        let nanoseconds = Int(period / .nanoseconds(1))
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "MicroHTTPD.ConnectionSweeper"))
        timer.schedule(deadline: .now(), repeating: .nanoseconds(nanoseconds), leeway: .nanoseconds(nanoseconds / 4))
        timer.setEventHandler { registry.sweep(now: .now, deadline: deadline) }
        timer.activate()
    }

    deinit {
        timer.cancel()
    }
}
