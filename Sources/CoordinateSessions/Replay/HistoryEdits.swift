/// Changes to the history of a session, by the versions of its events.
package struct HistoryEdits: Sendable {
    /// The most edits of one fork.
    package static let limit = 1_000

    /// A change of one event.
    package enum Change: Sendable {
        /// Another event takes its place.
        case replace(EventRequest)
        case drop
    }

    private var changes: [Int: Change] = [:]
    private var insertions: [Int: [EventRequest]] = [:]
    /// The largest version that an edit names.
    package private(set) var lastVersion = 0
    package private(set) var count = 0

    package init() {}

    /// Inserts a change of the event with a version; `false` if the event has one already.
    package mutating func change(_ version: Int, _ change: Change) -> Bool {
        guard changes.updateValue(change, forKey: version) == nil else { return false }
        count(version)
        return true
    }

    /// Inserts an event after a version, after those that were inserted there before.
    package mutating func insert(_ event: EventRequest, after version: Int) {
        insertions[version, default: []].append(event)
        count(version)
    }

    private mutating func count(_ version: Int) {
        lastVersion = max(lastVersion, version)
        count += 1
    }

    func change(of version: Int) -> Change? { changes[version] }

    func insertions(after version: Int) -> [EventRequest] { insertions[version] ?? [] }
}

/// The fate of each event of an edited history.
package struct EditReport: Sendable {
    /// An event that the app did not accept.
    package struct Refusal: Sendable {
        /// The place of the event in the original history.
        package enum Place: Sendable {
            case version(Int)
            /// It was inserted after a version.
            case after(Int)
        }

        package let place: Place
        package let error: SessionError
    }

    /// The number of events that were accepted as they were recorded.
    package internal(set) var kept = 0
    /// The number of replaced events that were accepted.
    package internal(set) var changed = 0
    package internal(set) var inserted = 0
    package internal(set) var dropped = 0
    package internal(set) var refused: [Refusal] = []
}
