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

    /// The first moment that documents can represent: the start of the year 1.
    static let first = Timestamp(seconds: -62_135_596_800)
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

extension Timestamp {
    /// Returns the moment after a duration, or before it if the duration is negative. Durations are rounded up to whole
    /// seconds, away from zero. The result is between the years 1 and 9999.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        duration < .zero ? moment - (.zero - duration) : moment.advanced(by: duration)
    }

    /// Returns the moment before a duration, or after it if the duration is negative. Durations are rounded up to whole
    /// seconds, away from zero. The result is between the years 1 and 9999.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        guard duration >= .zero else { return moment.advanced(by: .zero - duration) }
        let (whole, rest) = duration.components
        guard whole < Self.last.seconds - Self.first.seconds, moment.seconds > Self.first.seconds else {
            return min(moment, Self.first)
        }
        return max(Timestamp(seconds: moment.seconds - Int(whole) - (rest > 0 ? 1 : 0)), Self.first)
    }
}

extension Timestamp: Comparable {
    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }
}
