/// A statement with open parameters, `$1`, `$2` and so on, whose types are given by casts.
struct Statement: Sendable {
    /// The name of the prepared statement on a connection; `nil` if the statement is used once.
    let name: String?
    let sql: String

    init(name: String? = nil, _ sql: String) {
        self.name = name
        self.sql = sql
    }

    /// Returns the statement for a connection that has not prepared it.
    func once() -> Call { Statement(sql)() }

    /// Returns the statement with values for its parameters.
    func callAsFunction(_ values: Parameter...) -> Call {
        callAsFunction { parameters in for value in values { parameters.append(value) } }
    }

    /// Returns the statement with the values that a closure appends.
    func callAsFunction(_ fill: (inout Parameters) -> Void) -> Call {
        var parameters = Parameters()
        fill(&parameters)
        return Call(statement: self, parameters: parameters)
    }
}

/// A statement with values for its parameters.
struct Call: Sendable {
    let statement: Statement
    let parameters: Parameters
}
