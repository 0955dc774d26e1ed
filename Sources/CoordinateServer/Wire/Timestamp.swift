internal import Foundation

/// A moment as the documents write it: `2026-11-21T09:30:00Z` (RFC 3339, UTC, whole seconds).
struct Timestamp: Hashable, Sendable, CustomStringConvertible {
    /// Since 1970.
    let seconds: Int

    var description: String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
