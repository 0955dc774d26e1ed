internal import Coordinate

/// What a session shows and offers at one of its versions, and what a release of the app must not lose.
package struct Place: Equatable, Sendable {
    /// An action that the screen offers: its own, one of a row, Back, a tab, or the dismissal of a modal.
    struct Offer: Equatable, Sendable {
        /// The full name of the event.
        let event: String
        let payload: PlainValue
        /// The fields of the form; empty for a button.
        let inputs: [Input]
        /// The class of the coordinator to which it is sent.
        var coordinator: String
        /// The text of the button.
        let title: String
        /// The id of the row that offers it; `nil` for any other action.
        let row: String?
        /// The events that the app's migration emits in its place; empty if it has none.
        var migrated: [RecordedEvent.Emission] = []
    }

    struct Input: Equatable, Sendable {
        /// The name of the value in the payload.
        let field: String
        /// The text beside it.
        let title: String
        /// The reason why the app refused the entry; `nil` if there is none.
        let error: String?
        /// The values to choose from, as texts; empty if any may be entered.
        let choices: [String]
    }

    struct Row: Equatable, Sendable {
        let id: String
        let title: String
        let subtitle: String?
        let value: String?
        let isFavorite: Bool
    }

    /// A text that a person reads outside of rows and actions.
    struct Text: Equatable, Sendable {
        /// Where it is: `title`, `message`, `empty`, `section` or `footer` and the id of the section, `badge` and the title
        /// of the tab. The screen's content is `content`.
        let name: String
        let text: String
    }

    package let version: Int
    package internal(set) var path: String
    /// The id of the visible leaf.
    let leaf: String
    /// The name of the screen.
    package let screen: String
    let style: String
    let status: String
    var offers: [Offer]
    let rows: [Row]
    let texts: [Text]
    /// The names of the pending work and timers, sorted. A name may occur several times.
    let pending: [String]
    /// The path of the parked link; `nil` if there is none.
    var parked: String?
    /// The app's ``CoordinatedApp/facts(of:)``, sorted by name.
    let facts: [Text]
}

extension Place {
    /// The place of a tree between two turns.
    package init(of tree: SessionTree) {
        self = tree.withLiveState { state in
            Place(of: state.visible, of: tree.root, at: tree.version, facts: tree.app.app.facts(of: tree.root))
        }
    }

    private init(of state: VisibleState, of root: CoordinatorNode, at version: Int, facts: [String: String]) {
        let coordinator = (root.visibleLeaf as? CoordinatorNode)?.className ?? ""
        func offer(_ action: Action, of row: String? = nil) -> Offer {
            Offer(
                event: action.event, payload: action.payload,
                inputs: action.inputs.map { input in
                    Input(
                        field: input.field, title: input.title, error: input.error,
                        choices: (input.choices ?? []).map { Optional($0.value).text })
                }, coordinator: coordinator, title: action.title, row: row)
        }
        /// Tabs with the same title count as one.
        func badges(of tabs: [NavigationState.Tab]) -> [Text] {
            tabs.enumerated().compactMap { index, tab in
                guard let badge = tab.badge, !tabs[..<index].contains(where: { $0.title == tab.title }) else {
                    return nil
                }
                return Text(name: "badge \(tab.title)", text: badge)
            }
        }
        let screen = state.screen
        self.init(
            version: version, path: state.path, leaf: state.leaf, screen: screen.name, style: screen.style.rawValue,
            status: screen.status.rawValue,
            offers: screen.rows.flatMap { row in row.offered.map { offer($0, of: row.id) } }
                + (screen.actions + [state.back, state.dismiss].compactMap(\.self) + state.tabs.map(\.action))
                .map { offer($0) },
            rows: screen.rows.map {
                Row(id: $0.id, title: $0.title, subtitle: $0.subtitle, value: $0.value, isFavorite: $0.isFavorite)
            },
            texts: screen.texts.compactMap { name, text in text.map { Text(name: name, text: $0) } }
                + badges(of: state.tabs),
            pending: state.pending.map(\.name).sorted(), parked: state.parked,
            facts: facts.sorted { $0.key < $1.key }.map { Text(name: $0.key, text: $0.value) })
    }
}

extension Screen {
    /// Its texts outside of rows and actions, and its content, by their names.
    fileprivate var texts: [(name: String, text: String?)] {
        [("title", title), ("message", message)]
            + sections.flatMap { [("section \($0.id)", $0.title), ("footer \($0.id)", $0.footer)] }
            + [("empty", emptyText), ("content", content == .null ? nil : Optional(content).text)]
    }
}

// MARK: Migration

extension Place {
    /// The place with the names that the app's migration gives to recorded events and coordinators.
    ///
    /// - Parameters:
    ///   - now: The session's place now, in the tree at the same version.
    ///   - appVersion: The version of the app that recorded the place.
    ///   - last: The last entry that was replayed; `nil` for version 0.
    func migrated(to now: Place, in tree: SessionTree, from appVersion: String, _ last: JournalEntry?) -> Place {
        func migrated(_ name: String, _ payload: PlainValue) -> RecordedEvent {
            tree.app.migrated(
                RecordedEvent(
                    version: version + 1, appVersion: appVersion,
                    event: .init(name: name, payload: payload, at: leaf), isHandled: true, handledBy: nil, path: path))
        }
        /// What a migration of a deep link changes, it changes in every event.
        func migratedLink(to path: String) -> RecordedEvent {
            let link = EventRequest(opening: path)
            return migrated(link.name, link.payload)
        }
        var place = self
        let link = migratedLink(to: path)
        place.path = link.path
        // The migration of the last event says where it leads today, if the replay has checked it.
        if let last, case let event = tree.migrated(last), !event.acceptsDifferences, event.path == now.path {
            place.path = now.path
        }
        // A class may have another name while its coordinator keeps its id, and the other way round.
        let isSame = (link.emissions.first?.at ?? leaf).lastComponent == now.leaf.lastComponent
        for index in offers.indices {
            place.offers[index].migrated = migrated(offers[index].event, offers[index].payload).emissions
            if isSame, let coordinator = now.offers.first?.coordinator { place.offers[index].coordinator = coordinator }
        }
        if let parked {
            place.parked = migratedLink(to: parked).emissions.first?.payload[field: "path"]?.string ?? parked
        }
        return place
    }
}

extension String {
    /// The name of a coordinator without the ids around it and its number among its siblings.
    fileprivate var lastComponent: String {
        let name = split(separator: "/").last ?? ""
        guard let dash = name.lastIndex(of: "-"), Int(name[dash...].dropFirst()) != nil else { return String(name) }
        return String(name[..<dash])
    }
}
