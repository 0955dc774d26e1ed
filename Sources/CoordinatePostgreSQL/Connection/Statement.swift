/// A statement with its parameters left open, as `$1`, `$2`; parameters are told their types by casts.
struct Statement: Sendable {
    /// What it is called on a connection that has prepared it; nil for one that is used once.
    let name: String?
    let sql: String

    init(name: String? = nil, _ sql: String) {
        self.name = name
        self.sql = sql
    }

    /// The statement on a connection that has not prepared it.
    func once() -> Call { Statement(sql)() }

    /// The statement with values for its parameters.
    func callAsFunction(_ fill: (inout Parameters) -> Void = { _ in }) -> Call {
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
