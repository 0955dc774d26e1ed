public import Coordinate

/// The key by which two states of an app count as one.
public enum StateKey: String, CaseIterable, Sendable {
    /// The path, the screen, its events, and the app's facts: each ``StateOffer`` is a state.
    case offer
    /// The path: each link is a state.
    case path
    /// The name of the screen: a small graph of the screens that a user would name.
    case screen
    /// Everything shown and pending, and the app's facts. The number of such states is mostly unlimited.
    case document
}

/// The events that a state offers, those that may happen by themselves, and the facts that the app declares. Other
/// values do not matter: all filled carts have the same offer.
public struct StateOffer: Hashable, Sendable {
    public let path: String
    /// The name of the screen.
    public let screen: String
    /// Whether the screen is ready, loading, or has failed.
    public let status: Screen.Status
    /// The class of the coordinator to which the events are sent.
    public let coordinator: String
    /// The names of the offered events, sorted and without duplicates. A form has the names of its inputs:
    /// `account.logIn(user,password)`.
    public let events: [String]
    /// The names of the pending work and timers, sorted and without duplicates.
    public let pending: [String]
    /// The path of the link that is parked; `nil` if there is none.
    public let parked: String?
    /// The facts that the app declares, by their names.
    public let facts: [String: String]

    /// The offer of a state.
    ///
    /// - Parameter facts: The app's facts in this state: ``Coordinate/CoordinatedApp/facts(of:)``.
    public init(of state: NavigationState, facts: [String: String]) {
        path = state.path
        screen = state.screen.name
        status = state.screen.status
        coordinator = state.tree.coordinator(withID: state.leaf) ?? ""
        events = Self.sorted(state.offered.map(Self.name))
        pending = Self.sorted(state.pending.map(\.name))
        parked = state.parked
        self.facts = facts
    }

    /// The offer in one line, different for each.
    public var text: String {
        var text = "\(path) \(screen) \(status.rawValue)"
        if !events.isEmpty { text += " \(coordinator): \(events.joined(separator: " "))" }
        if !pending.isEmpty { text += " pending: \(pending.joined(separator: " "))" }
        if let parked { text += " parked: \(parked)" }
        if !facts.isEmpty { text += " facts: \(factTexts.joined(separator: " "))" }
        return text
    }

    /// The facts in the order of their names: `account=savings`.
    var factTexts: [String] {
        facts.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key))=\(Self.quoted($0.value))" }
    }

    /// The text, in quotes if it could be taken for several.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.,:/%".contains($0) }
        return isPlain && !text.isEmpty ? text : text.debugDescription
    }

    private static func name(of action: Action) -> String {
        let inputs = action.inputs
        return inputs.isEmpty ? action.event : "\(action.event)(\(inputs.map(\.field).joined(separator: ",")))"
    }

    private static func sorted(_ names: [String]) -> [String] {
        var all: [String] = []
        // Rows offer the same event repeatedly.
        for name in names where name != all.last && !all.contains(name) { all.append(name) }
        return all.sorted()
    }
}

extension StateKey {
    /// The key of a state.
    func text(of state: NavigationState, facts: [String: String], at now: Timestamp) -> String {
        switch self {
        case .offer: StateOffer(of: state, facts: facts).text
        case .path: state.path
        case .screen: state.screen.name
        case .document: "\(state.path)#\(Fingerprint(of: state, facts: facts, at: now).text)"
        }
    }
}

extension NavigationState.Node {
    /// The class of the coordinator with an id, in or below this one.
    fileprivate func coordinator(withID id: String) -> String? {
        if self.id == id { return coordinator }
        for node in presented + children {
            if let found = node.coordinator(withID: id) { return found }
        }
        return nil
    }
}
