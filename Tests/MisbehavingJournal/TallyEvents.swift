public import Coordinate

/// The events of a tally; each of a client's has a number of its own.
public enum TallyEvents: CoordinateEvents, Equatable {
    /// Changes the sum alone.
    case note(_ number: Int)
    /// Pushes a page, too, which may ask for work of its own.
    case push(_ number: Int)
    /// Pops a page, too, with all that it asked for.
    case pop(_ number: Int)
    /// Sets a timer, too.
    case time(_ number: Int)
    /// Asks for work, too.
    case ask(_ number: Int)
    /// Cancels some of both, too.
    case cancel(_ number: Int)
    /// A timer is due, which was set by the event of that number.
    case rang(_ number: Int)
    /// Work has brought a number.
    case worked(_ number: Int)
    /// Work has failed; the last word of the reason is a number.
    case failed(_ failure: WorkFailure)
    /// The host has something to say.
    case called(_ number: Int)

    /// What it adds to the sum.
    var number: Int {
        switch self {
        case .note(let number), .push(let number), .pop(let number), .time(let number), .ask(let number),
            .cancel(let number), .rang(let number), .worked(let number), .called(let number):
            number
        case .failed(let failure): failure.reason.split(separator: " ").last.flatMap { Int($0) } ?? 0
        }
    }
}

extension TallyEvents: DeclaredEvents {
    public static let declaration = EventDeclaration<Self>(
        "tally",
        .event("note", Self.note, "number") { if case .note(let number) = $0 { number } else { nil } },
        .event("push", Self.push, "number") { if case .push(let number) = $0 { number } else { nil } },
        .event("pop", Self.pop, "number") { if case .pop(let number) = $0 { number } else { nil } },
        .event("time", Self.time, "number") { if case .time(let number) = $0 { number } else { nil } },
        .event("ask", Self.ask, "number") { if case .ask(let number) = $0 { number } else { nil } },
        .event("cancel", Self.cancel, "number") { if case .cancel(let number) = $0 { number } else { nil } },
        .event("rang", Self.rang, "number") { if case .rang(let number) = $0 { number } else { nil } }.appOnly,
        .event("worked", Self.worked, "number") { if case .worked(let number) = $0 { number } else { nil } }.appOnly,
        .event("failed", Self.failed, "reason") { if case .failed(let failure) = $0 { failure } else { nil } }.appOnly,
        .event("called", Self.called, "number") { if case .called(let number) = $0 { number } else { nil } }.appOnly
    )
}

extension CoordinatorNode {
    /// Sets the timer of a number: for up to half a minute, or for no time at all.
    func time(_ number: Int) {
        perform("timer \(number % 3)", after: .seconds(number * 7 % 31), TallyEvents.rang(number))
    }

    /// Asks for the work of a number, which brings another one, to which nothing is due.
    func ask(_ number: Int) {
        perform("work \(number % 3)", { _ in number * 4 + 1 }, done: TallyEvents.worked, failed: TallyEvents.failed)
    }

    /// Cancels what it asked for itself with some other numbers.
    func cancel(_ number: Int) {
        cancel("timer \(number % 3)")
        cancel("work \(number % 3)")
    }
}
