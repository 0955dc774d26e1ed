internal import Foundation

/// A lane's way to PostgreSQL: a connection that is made anew whenever it is lost. Used by one thread.
struct Link: ~Copyable {
    private let settings: ConnectionSettings
    private let statements: [Statement]
    let outages: Outages
    /// Since when the server has been waited for.
    let wait = Wait()
    private var connection: Connection?
    /// How often it was tried to connect since there was a connection.
    private var attempts = 0
    /// When it was tried last.
    private var lastAttempt: ContinuousClock.Instant?

    /// How long it may take to connect, and how long an answer.
    static let patience = (connecting: Duration.seconds(2), answer: Duration.seconds(3))

    init(_ settings: ConnectionSettings, _ statements: [Statement], _ outages: Outages) {
        self.settings = settings
        self.statements = statements
        self.outages = outages
    }

    // MARK: Connecting

    var isConnected: Bool { connection != nil }

    /// Lets go of the connection, and so of what was begun on it and not committed.
    mutating func abandon() {
        connection = nil
    }

    /// Connects where there is no connection. Attempts keep apart from each other, the more the more there were.
    ///
    /// - Returns: whether there is one now.
    mutating func connect() -> Bool {
        if connection?.isThere() == true { return true }
        connection = nil
        wait.begin()
        defer { wait.end(isAnswered: isConnected) }
        rest()
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

    /// Waits until it is time for another attempt: 50 ms after the first one, a second in the end, and not just when all
    /// other connections try.
    private func rest() {
        guard attempts > 0, let lastAttempt else { return }
        let pause = min(1, 0.05 * pow(2, Double(min(attempts, 10) - 1))) * Double.random(in: 0.5...1)
        let left = ContinuousClock.now.duration(to: lastAttempt + .seconds(pause))
        if left > .zero { Thread.sleep(forTimeInterval: left / .seconds(1)) }
    }

    private mutating func noteEnd(_ error: PostgreSQLError) {
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

    // MARK: Asking

    /// Sends statements that belong together.
    mutating func send(_ calls: [Call]) throws(PostgreSQLError) {
        guard connection?.isThere() == true else {
            connection = nil
            throw .noConnection("there is no connection")
        }
        wait.begin()
        do throws(PostgreSQLError) {
            try connection?.send(calls)
        } catch {
            noteEnd(error)
            throw error
        }
    }

    /// The answers to what was sent.
    mutating func receive(within patience: Duration = patience.answer) throws(PostgreSQLError) -> [Rows] {
        do throws(PostgreSQLError) {
            let rows = try connection?.receive(until: .now + patience)
            wait.end(isAnswered: true)
            return rows ?? []
        } catch {
            noteEnd(error)
            throw error
        }
    }

    /// Asks for something, and waits for what comes of it.
    mutating func ask(
        _ calls: Call..., within patience: Duration = patience.answer
    ) throws(PostgreSQLError) -> [Rows] {
        try send(calls)
        return try receive(within: patience)
    }

    /// Asks for something of which there is one result.
    mutating func ask(_ call: Call, within patience: Duration = patience.answer) throws(PostgreSQLError) -> Rows {
        try send([call])
        guard let rows = try receive(within: patience).last else { throw .noAnswer("there was no result") }
        return rows
    }
}
