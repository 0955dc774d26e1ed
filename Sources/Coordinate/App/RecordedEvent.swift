/// An event that another version of the app took and the journal has kept, with the events that are replayed in its
/// place.
///
/// An app that changes meets sessions whose events its older version recorded. In ``CoordinatedApp/migrate(_:)`` it
/// translates them; events that it leaves alone are replayed as they are. Whatever becomes of an event, it keeps its
/// version.
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
    /// An event, and the coordinator that it is emitted at.
    public struct Emission: Equatable, Sendable {
        /// The full name of the event: `teams.didSelect`.
        public var name: String
        /// An object with the event's fields.
        public var payload: PlainValue
        /// The id of the coordinator it is emitted at.
        public var at: String

        /// Makes an emission.
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
    /// The events that are emitted in its place, in this order: at first the event itself, as it was recorded. An empty
    /// list drops it.
    public var emissions: [Emission]
    /// Whether a coordinator must handle the last of the emissions; ignored if there are none.
    public var isHandled: Bool
    /// The id of the coordinator that is to handle the last of the emissions; ignored if there are none.
    public var handledBy: String?
    /// The path at which the app must be afterwards.
    public var path: String
    /// Whether the session continues even if another coordinator handles the event, or the path is another one.
    public var acceptsDifferences = false

    /// Makes an event as it was recorded.
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

    /// Whether an older version of the app recorded the event. Parts of versions are compared as numbers where both
    /// are, so that 1.9 is before 1.10.
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

    /// Gives an event its new name.
    public mutating func rename(_ name: String, to newName: String) {
        for index in emissions.indices where emissions[index].name == name { emissions[index].name = newName }
    }

    /// Leaves an event out.
    public mutating func drop(_ name: String) {
        emissions.removeAll { $0.name == name }
    }

    /// Replaces an event by others.
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

    /// Gives a coordinator its new identifier, wherever an id or a selected tab names it. A numbered sibling, `…-2`, is
    /// renamed as well.
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
