extension Screen {
    /// Creates the screen of a coordinator. It omits or changes what cannot be offered, with a diagnostic for each
    /// case.
    ///
    /// - Parameters:
    ///   - events: The types of the app's events; `nil` if the tree has no host, so all types are offered.
    ///   - diagnostics: The problems with what the app would show.
    init(
        of viewController: ViewController, style: Style, among events: [ObjectIdentifier]?,
        _ diagnostics: inout [Diagnostic]
    ) {
        let name = viewController.name
        let offer = Offer(screen: name, events: events)
        self.name = name
        self.style = style
        title = viewController.currentTitle
        status = viewController.status
        message = viewController.message
        rows = offer.rows(viewController.rows, &diagnostics)
        actions = offer.actions(viewController.actions, &diagnostics)
    }
}

/// A check of a screen's rows and actions before they are shown.
private struct Offer {
    /// The maximum number of rows for which comparing all ids with each other is faster than hashing them.
    private static let comparableRows = 16

    let screen: String
    let events: [ObjectIdentifier]?

    func actions(_ actions: [Action], _ diagnostics: inout [Diagnostic]) -> [Action] {
        if actions.allSatisfy({ isSound($0) }) { return actions }
        return actions.compactMap { action($0, &diagnostics) }
    }

    func rows(_ rows: [Screen.Row], _ diagnostics: inout [Diagnostic]) -> [Screen.Row] {
        if areSound(rows), hasDistinctIDs(rows) { return rows }
        var ids = RowIDs(of: rows)
        return rows.map { row in
            Screen.Row(
                id: id(of: row, &ids, &diagnostics), title: row.title, subtitle: row.subtitle,
                value: row.value, isFavorite: row.isFavorite, action: row.action.flatMap { action($0, &diagnostics) },
                delete: row.delete.flatMap { action($0, &diagnostics) }, actions: actions(row.actions, &diagnostics))
        }
    }

    private func isSound(_ action: Action) -> Bool {
        action.flaw == nil && isCatalogued(action)
    }

    private func isCatalogued(_ action: Action) -> Bool {
        events?.contains(ObjectIdentifier(type(of: action.emission))) ?? true
    }

    private func areSound(_ rows: [Screen.Row]) -> Bool {
        // Iterating by index avoids copies of rows, which have seven references each.
        rows.indices.allSatisfy { index in
            (rows[index].action.map(isSound) ?? true) && (rows[index].delete.map(isSound) ?? true)
                && rows[index].actions.allSatisfy(isSound)
        }
    }

    private func hasDistinctIDs(_ rows: [Screen.Row]) -> Bool {
        if rows.count > Self.comparableRows { return Set(rows.map(\.id)).count == rows.count }
        return rows.indices.allSatisfy { index in !rows[..<index].contains { $0.id == rows[index].id } }
    }

    private func action(_ action: Action, _ diagnostics: inout [Diagnostic]) -> Action? {
        if isSound(action) { return action }
        let type = type(of: action.emission)
        switch action.flaw {
        case .undeclared: diagnostics.append(.undeclaredEvent(action.event, type: "\(type)"))
        case .appOnly: diagnostics.append(.appOnlyEvent(action.event, screen: screen))
        case .noField(let field) where isCatalogued(action):
            diagnostics.append(.noSuchField(field, event: action.event, screen: screen))
            return action
        case .noField, nil: diagnostics.append(.uncataloguedEvent(action.event, type: "\(type)"))
        }
        return nil
    }

    private func id(of row: Screen.Row, _ ids: inout RowIDs, _ diagnostics: inout [Diagnostic]) -> String {
        let id = ids.next(for: row.id)
        if id != row.id { diagnostics.append(.rowsAlike(screen: screen, id: row.id)) }
        return id
    }
}

/// Distinct ids for rows. If rows share an id, the first keeps it, and later ones are numbered.
private struct RowIDs {
    private var all: Set<String>
    /// The number to try for the next row with an id; 1 before the first row.
    private var numbers: [String: Int] = [:]

    init(of rows: [Screen.Row]) {
        all = Set(rows.map(\.id))
    }

    mutating func next(for id: String) -> String {
        var number = numbers[id, default: 1]
        defer { numbers[id] = number + 1 }
        guard number > 1 else { return id }
        while !all.insert("\(id)-\(number)").inserted { number += 1 }
        return "\(id)-\(number)"
    }
}
