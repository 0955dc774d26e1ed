internal import Synchronization

/// The connections that are open.
final class ConnectionRegistry: Sendable {
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    func insert(_ connection: Connection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
    }

    func remove(_ connection: Connection) {
        connection.watch.withLock { $0.forgetSocket() }
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Whether any request is between its request line and the last byte of its answer.
    var isBusy: Bool {
        connections.withLock { $0.values.contains(where: \.isBusy) }
    }

    /// Closes the connections whose request is overdue.
    func sweep(now: ContinuousClock.Instant, deadline: Duration) {
        for connection in connections.withLock({ Array($0.values) }) {
            let progress = connection.progress.load(ordering: .relaxed)
            connection.watch.withLock { $0.check(progress, now: now, deadline: deadline) }
        }
    }
}
