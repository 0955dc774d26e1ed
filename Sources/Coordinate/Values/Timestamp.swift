/// A moment, in whole seconds.
///
/// ```swift
/// if now >= offer.end { … }
/// ```
public struct Timestamp: Hashable, Sendable {
    /// The seconds since 1970, in UTC.
    public let seconds: Int

    /// Creates a moment from the seconds since 1970.
    public init(seconds: Int) {
        self.seconds = seconds
    }

    /// The last moment that documents can represent: the end of the year 9999.
    static let last = Timestamp(seconds: 253_402_300_799)

    /// Returns the moment after a delay, rounded up to whole seconds. A negative delay counts as zero. The result is at
    /// most the end of the year 9999.
    public func advanced(by delay: Duration) -> Timestamp {
        guard delay > .zero else { return self }
        let (whole, rest) = delay.components
        guard whole < Self.last.seconds, seconds < Self.last.seconds else { return max(self, Self.last) }
        return min(Timestamp(seconds: seconds + Int(whole) + (rest > 0 ? 1 : 0)), Self.last)
    }
}

extension Timestamp: Comparable {
    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }
}
