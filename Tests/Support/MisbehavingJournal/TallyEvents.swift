public import Coordinate

/// The events of a tally. Each of a client's events has its own number.
public enum TallyEvents: CoordinateEvents, Equatable {
    /// Changes the sum only.
    case note(_ number: Int)
    /// Also pushes a page, which may request its own work.
    case push(_ number: Int)
    /// Also pops a page, with everything that it requested.
    case pop(_ number: Int)
    /// Also sets a timer.
    case time(_ number: Int)
    /// Also requests work.
    case ask(_ number: Int)
    /// Also cancels some of both.
    case cancel(_ number: Int)
    /// A timer fired that the event with that number set.
    case rang(_ number: Int)
    /// Work returned a number.
    case worked(_ number: Int)
    /// Work failed. The last word of the reason is a number.
    case failed(_ failure: WorkFailure)
    /// An event of the host.
    case called(_ number: Int)

    /// The number that it adds to the sum.
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

    /// Requests the work of a number, which returns another one. No further event follows from that.
    func ask(_ number: Int) {
        perform("work \(number % 3)", { _ in number * 4 + 1 }, done: TallyEvents.worked, failed: TallyEvents.failed)
    }

    /// Cancels the work and timers that it requested with some other numbers.
    func cancel(_ number: Int) {
        cancel("timer \(number % 3)")
        cancel("work \(number % 3)")
    }
}
