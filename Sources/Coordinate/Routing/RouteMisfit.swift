/// A value in a path that stands for nothing.
struct RouteMisfit: Sendable, CustomStringConvertible {
    /// The text, decoded; nil where an item of the query is missing.
    let text: String?
    let problem: PlainValueError

    /// "lotus" is the id of no Team
    var description: String {
        text.map { "\"\($0)\" \(problem.message)" } ?? "an item of the query \(problem.message)"
    }
}
