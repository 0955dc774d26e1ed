internal import Foundation

/// A worker's connection to PostgreSQL, which is reopened whenever it is lost. Used by one thread.
struct Link: ~Copyable {
    private let settings: ConnectionSettings
    private let statements: [Statement]
    let outages: Outages
    /// The time for which the thread has been waiting for the server.
    let wait = Wait()
    private var connection: Connection?
    /// The number of failed attempts to connect since the last connection.
    private var attempts = 0
    /// The moment of the last attempt.
    private var lastAttempt: ContinuousClock.Instant?

    /// The time that connecting may take, and the time that results may take.
    static let patience = (connecting: Duration.seconds(2), answer: Duration.seconds(3))

    init(_ settings: ConnectionSettings, _ statements: [Statement], _ outages: Outages) {
        self.settings = settings
        self.statements = statements
        self.outages = outages
    }

    // MARK: Connecting

    var isConnected: Bool { connection != nil }

    /// Closes the connection. The server rolls back a transaction that is not committed.
    mutating func abandon() {
        connection = nil
    }

    /// Connects if there is no connection. The more attempts have failed, the longer the pauses between them.
    ///
    /// - Returns: Whether there is a connection now.
    mutating func connect() -> Bool {
        if connection?.isThere() == true { return true }
        connection = nil
        wait.begin()
        defer { wait.end(isAnswered: isConnected) }
        backOff()
        lastAttempt = .now
        do throws(PostgreSQLError) {
            connection = try Connection.open(
                settings, preparing: statements, until: .now + Self.patience.connecting)
            attempts = 0
            outages.found()
        } catch {
            attempts += 1
            outages.lost(error.description)
        }
        return isConnected
    }

    /// Waits until it is time for another attempt: at most 50 ms after the first one, at most a second after many. A
    /// random part of the pause is left out, so that the connections do not all try at the same moment.
    private func backOff() {
        guard attempts > 0, let lastAttempt else { return }
        let pause = min(1, 0.05 * pow(2, Double(min(attempts, 10) - 1))) * Double.random(in: 0.5...1)
        let left = ContinuousClock.now.duration(to: lastAttempt + .seconds(pause))
        if left > .zero { Thread.sleep(forTimeInterval: left / .seconds(1)) }
    }

    private mutating func recordFailure(_ error: PostgreSQLError) {
        if error.endsConnection {
            connection = nil
            outages.lost(settings.message(error.description))
        }
        wait.end(isAnswered: isConnected)
        switch error {
        case .refused(let message), .doubtful(let message): outages.refused(message)
        case .noConnection, .noAnswer: break
        }
    }

    // MARK: Requests

    /// Sends statements as one transaction.
    mutating func send(_ calls: [Call]) throws(PostgreSQLError) {
        guard connection?.isThere() == true else {
            connection = nil
            throw .noConnection("there is no connection")
        }
        wait.begin()
        do throws(PostgreSQLError) {
            try connection?.send(calls)
        } catch {
            recordFailure(error)
            throw error
        }
    }

    /// Receives the results of the statements that were sent.
    mutating func receive(within patience: Duration = patience.answer) throws(PostgreSQLError) -> [Rows] {
        do throws(PostgreSQLError) {
            let rows = try connection?.receive(until: .now + patience)
            wait.end(isAnswered: true)
            return rows ?? []
        } catch {
            recordFailure(error)
            throw error
        }
    }

    /// Sends statements as one transaction, and waits for their results.
    mutating func ask(
        _ calls: Call..., within patience: Duration = patience.answer
    ) throws(PostgreSQLError) -> [Rows] {
        try send(calls)
        return try receive(within: patience)
    }

    /// Sends a statement that changes nothing, and waits for its result. If the connection turns out to be lost, for
    /// instance because the server has restarted, sends it once more on a new one.
    mutating func read(_ call: Call, within patience: Duration = patience.answer) throws(PostgreSQLError) -> Rows {
        let start = ContinuousClock.now
        do throws(PostgreSQLError) {
            return try ask(call, within: patience)
        } catch {
            // A server that does not answer in time would be no faster on another connection.
            guard error.endsConnection, start.duration(to: .now) < patience / 2 else { throw error }
            guard connect() else { throw .noConnection(error.description) }
            return try ask(call, within: patience)
        }
    }

    /// Sends a statement, and waits for its result.
    mutating func ask(_ call: Call, within patience: Duration = patience.answer) throws(PostgreSQLError) -> Rows {
        try send([call])
        guard let rows = try receive(within: patience).last else { throw .noAnswer("there was no result") }
        return rows
    }
}
