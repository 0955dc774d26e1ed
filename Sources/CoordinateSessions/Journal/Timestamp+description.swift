public import Coordinate
internal import Foundation

/// The text of a moment in documents: `2026-11-21T09:30:00Z` (RFC 3339, UTC, whole seconds).
extension Timestamp: LosslessStringConvertible {
    public var description: String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }

    /// Reads a moment; `nil` if the text is not a ``description`` of one.
    public init?(_ description: String) {
        guard let date = try? Date(description, strategy: .iso8601) else { return nil }
        self.init(seconds: Int(date.timeIntervalSince1970))
        guard self.description == description else { return nil }
    }
}
