/// The reason why work brought nothing, in words that its session's clients may read: they are kept in the journal.
///
/// Work throws one to say why. Any other error is logged, and told as ``unexplained``.
///
/// ```swift
/// guard answer.status == 200 else { throw WorkFailure("The shop is closed.") }
/// ```
public struct WorkFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for whoever looks at the screen.
    public let reason: String

    /// Makes a failure.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// Work threw an error that is no ``WorkFailure``.
    public static let unexplained = WorkFailure("It did not work.")
    /// Work took longer than it may.
    public static let timedOut = WorkFailure("It took too long.")
    /// Work held a secret, and the process that knew it has died.
    public static let secretLost = WorkFailure("It was interrupted.")

    public var description: String { reason }
}

extension WorkFailure: PlainValueConvertible {
    public static let plainType = PlainType.string
    public var plainValue: PlainValue { .string(reason) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> WorkFailure {
        WorkFailure(try String.resolve(value, in: dependencies))
    }
}
