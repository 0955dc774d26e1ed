/// A moment, in whole seconds.
///
/// ```swift
/// if now >= offer.end { … }
/// ```
public struct Timestamp: Hashable, Sendable {
    /// The seconds since 1970, in UTC.
    public let seconds: Int

    /// Makes a moment of the seconds since 1970.
    public init(seconds: Int) {
        self.seconds = seconds
    }

    /// The moment after a delay, which is rounded up to whole seconds; one below zero counts as none.
    public func advanced(by delay: Duration) -> Timestamp {
        guard delay > .zero else { return self }
        let (whole, rest) = delay.components
        let (sum, isTooLarge) = seconds.addingReportingOverflow(Int(whole) + (rest > 0 ? 1 : 0))
        return Timestamp(seconds: isTooLarge ? .max : sum)
    }
}

extension Timestamp: Comparable {
    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }
}
