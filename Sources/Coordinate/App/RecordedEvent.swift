/// An event that another version of the app recorded, with the events to replay in its place.
///
/// A new version of an app replays sessions that older versions recorded. It translates their events in
/// ``CoordinatedApp/migrate(_:)``; events that it does not change are replayed as they are. Each event keeps its
/// version, even if it is dropped or split.
///
/// ```swift
/// func migrate(_ event: inout RecordedEvent) {
///     if event.isRecorded(before: "2.0") {
///         event.rename("teams.didSelect", to: "teams.didOpen")
///         event.fill("currency", of: "cart.didAdd", with: .string("EUR"))
///         event.drop("banner.didShow")
///         event.renameCoordinator("TeamsListCoordinator", to: "TeamsOverviewCoordinator")
///     }
/// }
/// ```
public struct RecordedEvent: Equatable, Sendable {
    /// An event, and the coordinator at which it is emitted.
    public struct Emission: Equatable, Sendable {
        /// The full name of the event: `teams.didSelect`.
        public var name: String
        /// An object with the event's fields.
        public var payload: PlainValue
        /// The id of the coordinator at which it is emitted.
        public var at: String

        /// Creates an emission.
        public init(name: String, payload: PlainValue, at: String) {
            self.name = name
            self.payload = payload
            self.at = at
        }
    }

    /// The session's version after this event.
    public let version: Int
    /// The version of the app that recorded it.
    public let appVersion: String
    /// The events to emit in its place, in this order. Initially the recorded event itself; an empty list drops it.
    public var emissions: [Emission]
    /// Whether a coordinator must handle the last emission. Ignored if there are no emissions.
    public var isHandled: Bool
    /// The id of the coordinator that must handle the last emission. Ignored if there are no emissions.
    public var handledBy: String?
    /// The path that the app must be at afterwards.
    public var path: String
    /// Whether the session continues even if another coordinator handles the event, or the path differs.
    public var acceptsDifferences = false

    /// Creates an event as it was recorded.
    public init(
        version: Int, appVersion: String, event: Emission, isHandled: Bool, handledBy: String?, path: String
    ) {
        self.version = version
        self.appVersion = appVersion
        emissions = [event]
        self.isHandled = isHandled
        self.handledBy = handledBy
        self.path = path
    }

    /// Returns whether an older version of the app recorded the event. Two parts that are numbers are compared as
    /// numbers, so 1.9 is before 1.10.
    public func isRecorded(before version: String) -> Bool {
        let ours = appVersion.split(separator: ".", omittingEmptySubsequences: false)
        let theirs = version.split(separator: ".", omittingEmptySubsequences: false)
        for (one, other) in zip(ours, theirs) where one != other {
            if let one = Int(one), let other = Int(other) {
                if one != other { return one < other }
            } else {
                return one < other
            }
        }
        return ours.count < theirs.count
    }

    /// Renames an event.
    public mutating func rename(_ name: String, to newName: String) {
        for index in emissions.indices where emissions[index].name == name { emissions[index].name = newName }
    }

    /// Removes an event.
    public mutating func drop(_ name: String) {
        emissions.removeAll { $0.name == name }
    }

    /// Replaces an event with others.
    public mutating func split(_ name: String, into parts: (Emission) -> [Emission]) {
        emissions = emissions.flatMap { $0.name == name ? parts($0) : [$0] }
    }

    /// Adds a field with a value to an event's payload, unless it has that field already.
    public mutating func fill(_ field: String, of name: String, with value: PlainValue) {
        for index in emissions.indices where emissions[index].name == name {
            guard case .object(let fields) = emissions[index].payload, !fields.contains(where: { $0.name == field })
            else { continue }
            emissions[index].payload = .object(fields + [PlainField(field, value)])
        }
    }

    /// Renames a coordinator in every id and selected tab. It renames numbered siblings, such as `…-2`, as well.
    public mutating func renameCoordinator(_ identifier: String, to newIdentifier: String) {
        func renamed(_ id: String) -> String {
            id.split(separator: "/", omittingEmptySubsequences: false).map { part in
                let isMeant = part == identifier || isNumbered(part)
                return isMeant ? newIdentifier + part.dropFirst(identifier.count) : String(part)
            }.joined(separator: "/")
        }
        func isNumbered(_ part: Substring) -> Bool {
            part.hasPrefix(identifier + "-") && Int(part.dropFirst(identifier.count + 1)) != nil
        }
        for index in emissions.indices {
            emissions[index].at = renamed(emissions[index].at)
            if emissions[index].name == "navigation.selectTab", let tab = emissions[index].payload[field: "tab"]?.string
            {
                emissions[index].payload = .object([PlainField("tab", .string(renamed(tab)))])
            }
        }
        handledBy = handledBy.map(renamed)
    }
}
