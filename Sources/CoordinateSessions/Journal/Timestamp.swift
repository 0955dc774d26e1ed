internal import Foundation

/// A moment as the documents write it: `2026-11-21T09:30:00Z` (RFC 3339, UTC, whole seconds).
public struct Timestamp: Hashable, Sendable {
    /// Since 1970.
    public let seconds: Int

    public init(seconds: Int) {
        self.seconds = seconds
    }
}

extension Timestamp: Comparable {
    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }
}

extension Timestamp: LosslessStringConvertible {
    public var description: String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }

    /// Nil for any text that ``description`` would not give.
    public init?(_ description: String) {
        guard let date = try? Date(description, strategy: .iso8601) else { return nil }
        self.init(seconds: Int(date.timeIntervalSince1970))
        guard self.description == description else { return nil }
    }
}
