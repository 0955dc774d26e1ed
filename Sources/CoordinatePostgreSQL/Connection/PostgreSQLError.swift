/// The reason why PostgreSQL did not do as asked, and what is certain then.
enum PostgreSQLError: Error {
    /// There is no connection: nothing was sent.
    case noConnection(String)
    /// The connection broke, or nothing came in time: what was sent may have been done, or may still be.
    case noAnswer(String)
    /// The server said no, and took back all that belongs to it.
    case refused(ServerMessage)
    /// The server answered in a way that leaves open whether it was done as safely as it should be.
    case doubtful(ServerMessage)

    /// Whether nothing was done.
    var isCertain: Bool {
        switch self {
        case .noConnection, .refused: true
        case .noAnswer, .doubtful: false
        }
    }

    /// Whether the connection is of use no more.
    var endsConnection: Bool {
        switch self {
        case .noConnection, .noAnswer: true
        case .refused(let message), .doubtful(let message): message.endsConnection
        }
    }
}

extension PostgreSQLError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noConnection(let message), .noAnswer(let message): message
        case .refused(let message), .doubtful(let message): message.description
        }
    }
}

/// An error or a warning of the server: https://www.postgresql.org/docs/15/errcodes-appendix.html. Its detail is left
/// out, as that may hold data.
struct ServerMessage: Equatable, Sendable, CustomStringConvertible {
    /// Not translated: `ERROR`, `FATAL`, `PANIC`, `WARNING` and others.
    let severity: String
    /// The SQLSTATE: five characters.
    let code: String
    let text: String

    var description: String { "\(text) (\(code))" }

    /// Whether a transaction that ends with it is rolled back for certain. An ERROR is only reported before a commit;
    /// but a proxy may speak of its own connection, some servers have a code for what they do not know
    /// (`statement_completion_unknown`), and after an error of the system or the server's own nothing is certain.
    var provesRollback: Bool {
        severity == "ERROR" && code != "40003" && !["08", "57P", "58", "XX"].contains { code.hasPrefix($0) }
    }

    /// Whether it is about the whole server or connection, and not about what was asked.
    var isGeneral: Bool {
        ["08", "25", "28", "53", "57", "58", "XX"].contains { code.hasPrefix($0) }
    }

    /// Whether the connection is gone with it, or should be: one to a server that only reads is no use, though that may
    /// have been the right one before, and neither is one whose prepared statements do not fit the tables any more.
    var endsConnection: Bool {
        !["ERROR", "WARNING"].contains(severity) || ["0A000", "25006", "26000"].contains(code)
            || ["08", "57P"].contains { code.hasPrefix($0) }
    }
}
