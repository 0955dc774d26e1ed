package import Coordinate

/// The events of ``WorkApp``.
package enum WorkEvents: CoordinateEvents, Equatable {
    /// Requests work.
    case ask(_ name: String)
    /// Requests work that is attempted three times, with a minimal pause.
    case insist(_ name: String)
    /// Requests work with a time limit of 50 ms.
    case hurry(_ name: String)
    /// Requests work, and fails the turn.
    case askAndFail(_ name: String)
    /// Requests the work `login`, which gets the secret.
    case login(_ password: Secret)
    /// Sets the timer `timer`.
    case setTimer(_ seconds: Int)
    /// Cancels this page's work and timers with a name.
    case cancel(_ name: String)
    /// Shows another page.
    case push
    /// Notes the turn's time: `now 1795253400`.
    case look
    /// Notes a random number: `drawn 42`.
    case draw

    // Only the app and its host can emit these.
    case didFinish(_ outcome: WorkOutcome)
    case didFail(_ outcome: WorkOutcome)
    /// A timer fired.
    case didFire
    /// An event of the host.
    case didHear(_ text: String)
}

extension WorkEvents: DeclaredEvents {
    package static let declaration = EventDeclaration<Self>(
        "work",
        .event("ask", Self.ask, "name") { if case .ask(let name) = $0 { name } else { nil } },
        .event("insist", Self.insist, "name") { if case .insist(let name) = $0 { name } else { nil } },
        .event("hurry", Self.hurry, "name") { if case .hurry(let name) = $0 { name } else { nil } },
        .event("askAndFail", Self.askAndFail, "name") { if case .askAndFail(let name) = $0 { name } else { nil } },
        .event("login", Self.login, "password") { if case .login(let password) = $0 { password } else { nil } },
        .event("setTimer", Self.setTimer, "seconds") { if case .setTimer(let seconds) = $0 { seconds } else { nil } },
        .event("cancel", Self.cancel, "name") { if case .cancel(let name) = $0 { name } else { nil } },
        .event("push", .push),
        .event("look", .look),
        .event("draw", .draw),
        .event("didFinish", Self.didFinish, "outcome") {
            if case .didFinish(let outcome) = $0 { outcome } else { nil }
        }.appOnly,
        .event("didFail", Self.didFail, "outcome") {
            if case .didFail(let outcome) = $0 { outcome } else { nil }
        }.appOnly,
        .event("didFire", .didFire).appOnly,
        .event("didHear", Self.didHear, "text") { if case .didHear(let text) = $0 { text } else { nil } }.appOnly
    )
}

/// The outcome of a piece of work, with its name: `pay: receipt`.
package struct WorkOutcome: Equatable, Sendable {
    package let name: String
    /// The result, or the reason of the failure.
    package let text: String

    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}

extension WorkOutcome: PlainValueConvertible {
    package static let plainType = PlainType.string
    package var plainValue: PlainValue { .string("\(name): \(text)") }

    package static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> WorkOutcome {
        let text = try String.resolve(value, in: dependencies)
        guard let colon = text.firstRange(of: ": ") else { throw PlainValueError("must be like \"pay: receipt\"") }
        return WorkOutcome(String(text[..<colon.lowerBound]), String(text[colon.upperBound...]))
    }
}
