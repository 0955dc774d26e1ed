/// The reason why PostgreSQL did not carry out statements, and what is certain about them.
enum PostgreSQLError: Error {
    /// There is no connection: no statement was sent.
    case noConnection(String)
    /// The connection broke, or no result came in time: the statements may have been carried out, or may still be.
    case noAnswer(String)
    /// The server refused a statement, and rolled the transaction back.
    case refused(ServerMessage)
    /// The server's result leaves open whether the transaction was carried out as safely as it should be.
    case doubtful(ServerMessage)

    /// Whether the transaction was certainly not carried out.
    var isCertain: Bool {
        switch self {
        case .noConnection, .refused: true
        case .noAnswer, .doubtful: false
        }
    }

    /// Whether the connection is no longer usable.
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
/// out, since it may contain data.
struct ServerMessage: Equatable, Sendable, CustomStringConvertible {
    /// The severity, not translated: `ERROR`, `FATAL`, `PANIC`, `WARNING` and others.
    let severity: String
    /// The SQLSTATE: five characters.
    let code: String
    let text: String

    var description: String { "\(text) (\(code))" }

    /// Whether a transaction that ends with this message is certainly rolled back. PostgreSQL reports an ERROR only
    /// before a commit. But a proxy may report an error of its own connection, some servers have a code for a commit
    /// with an unknown outcome (`statement_completion_unknown`), and after a system error or an internal error nothing
    /// is certain.
    var provesRollback: Bool {
        severity == "ERROR" && code != "40003" && !["08", "57P", "58", "XX"].contains { code.hasPrefix($0) }
    }

    /// Whether the message is about the whole server or connection, and not about one statement.
    var isGeneral: Bool {
        ["08", "25", "28", "53", "57", "58", "XX"].contains { code.hasPrefix($0) }
    }

    /// Whether the connection is lost with this message, or should be closed. A server that has become read-only is of
    /// no use, nor is a connection whose prepared statements no longer fit the tables.
    var endsConnection: Bool {
        !["ERROR", "WARNING"].contains(severity) || ["0A000", "25006", "26000"].contains(code)
            || ["08", "57P"].contains { code.hasPrefix($0) }
    }
}
