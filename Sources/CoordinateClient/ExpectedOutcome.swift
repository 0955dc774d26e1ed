/// The expected outcome of an event.
///
/// ```swift
/// try await client.emit("cart.add", ["product": "lamp"], expecting: .handled)
/// ```
public enum ExpectedOutcome: Hashable, Sendable, CustomStringConvertible {
    /// Some coordinator handles the event.
    case handled
    /// The coordinator with this id handles the event.
    case handledBy(String)
    /// No coordinator handles the event.
    case unhandled

    public var description: String {
        switch self {
        case .handled: "handled"
        case .handledBy(let coordinator): "handled by \(coordinator)"
        case .unhandled: "unhandled"
        }
    }

    func isMet(by outcome: Document.Outcome) -> Bool {
        switch self {
        case .handled: outcome.handled
        case .handledBy(let coordinator): outcome.handledBy == coordinator
        case .unhandled: !outcome.handled
        }
    }
}

/// The expected refusal of a request by a server.
public struct ExpectedRefusal: Hashable, Sendable, CustomStringConvertible {
    /// The name of the problem: `event-not-allowed`; `nil` if any will do.
    public let problem: String?

    /// Any refusal.
    public static let refused = ExpectedRefusal(problem: nil)

    /// A refusal with a given problem: `.refused("event-not-allowed")`.
    ///
    /// - Parameter problem: The last part of the problem document's `type`.
    public static func refused(_ problem: String) -> ExpectedRefusal { ExpectedRefusal(problem: problem) }

    public var description: String { problem.map { "refused as \($0)" } ?? "refused" }

    func isMet(by problem: Document.Problem) -> Bool {
        self.problem.map { problem.type == "/problems/\($0)" } ?? true
    }
}

/// The error for an event with another outcome than expected.
public struct UnexpectedOutcome: ClientError {
    /// The name of the event.
    public let event: String
    /// `handled`, `handled by AppCoordinator`, `unhandled`, `refused`, or `refused as event-not-allowed`.
    public let expected: String
    public let answer: ServerAnswer

    public var callSite: CallSite { answer.callSite }

    /// What the session did; `nil` if the server refused the event.
    public var outcome: Document.Outcome? { try? answer.decode(Document.Outcome.self, status: 200) }

    /// The reason why the server refused the event; `nil` if it accepted it.
    public var problem: Document.Problem? { try? answer.decode(Document.Problem.self) }

    public var message: String { "The event \"\(event)\" was expected to be \(expected), but \(actual)" }

    private var actual: String {
        if let outcome, let coordinator = outcome.handledBy {
            return "\(coordinator) handled it, and the session is at \(outcome.path)."
        }
        if let outcome {
            let visited = outcome.trace.map(\.coordinator).joined(separator: ", ")
            return "no coordinator handled it at \(outcome.path). It visited: \(visited.isEmpty ? "none" : visited)."
        }
        guard let problem else { return "the answer was \(answer.status): \(answer.text)" }
        return "the server refused it: \(problem.summary)"
    }
}
