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
        let sections = offer.sections(viewController.sections, &diagnostics)
        rows = offer.rows(viewController.rows, in: sections, &diagnostics)
        let used = sections.isEmpty ? [] : Set(rows.compactMap(\.section))
        self.sections = sections.filter { $0.footer != nil || used.contains($0.id) }
        emptyText = rows.isEmpty ? viewController.emptyText : nil
        actions = offer.actions(viewController.actions, &diagnostics)
        content = viewController.metadata.content?.read(viewController) ?? .null
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

    func sections(_ sections: [Screen.Section], _ diagnostics: inout [Diagnostic]) -> [Screen.Section] {
        if Set(sections.map(\.id)).count == sections.count { return sections }
        var known: Set<String> = []
        return sections.filter { section in
            if known.insert(section.id).inserted { return true }
            diagnostics.append(.sectionsAlike(screen: screen, id: section.id))
            return false
        }
    }

    /// The rows in the order of the sections.
    func rows(
        _ rows: [Screen.Row], in sections: [Screen.Section], _ diagnostics: inout [Diagnostic]
    ) -> [Screen.Row] {
        let places = Dictionary(uniqueKeysWithValues: sections.enumerated().map { ($0.element.id, $0.offset + 1) })
        let sound = sound(rows, in: places, &diagnostics)
        guard !sections.isEmpty else { return sound }
        let placesOfRows = sound.map { $0.section.flatMap { places[$0] } ?? 0 }
        guard zip(placesOfRows, placesOfRows.dropFirst()).contains(where: >) else { return sound }
        return sound.indices.sorted { (placesOfRows[$0], $0) < (placesOfRows[$1], $1) }.map { sound[$0] }
    }

    /// - Parameter sections: The sections' positions by their ids.
    private func sound(
        _ rows: [Screen.Row], in sections: [String: Int], _ diagnostics: inout [Diagnostic]
    ) -> [Screen.Row] {
        if areSound(rows, in: sections), hasDistinctIDs(rows) { return rows }
        var ids = RowIDs(of: rows)
        return rows.map { row in
            if let section = row.section, sections[section] == nil {
                diagnostics.append(.noSuchSection(section, screen: screen, row: row.id))
            }
            if let image = row.image, let file = image.file, !image.isOfHost {
                diagnostics.append(.invalidAddress(file, screen: screen, of: row.title))
            }
            return Screen.Row(
                id: id(of: row, &ids, &diagnostics), title: row.title, subtitle: row.subtitle,
                value: row.value, image: row.image.flatMap { $0.isOfHost ? $0 : nil },
                section: row.section.flatMap { sections[$0] == nil ? nil : $0 }, isFavorite: row.isFavorite,
                action: row.action.flatMap { action($0, &diagnostics) },
                delete: row.delete.flatMap { action($0, &diagnostics) }, actions: actions(row.actions, &diagnostics))
        }
    }

    private func isSound(_ action: Action) -> Bool {
        action.flaw == nil && isCatalogued(action) && hasSoundPath(action)
    }

    private func hasSoundPath(_ action: Action) -> Bool {
        action.opens.map { !action.isForm && $0.isLocalAddress && RoutePath($0) != nil } ?? true
    }

    private func isCatalogued(_ action: Action) -> Bool {
        events?.contains(ObjectIdentifier(type(of: action.emission))) ?? true
    }

    private func areSound(_ rows: [Screen.Row], in sections: [String: Int]) -> Bool {
        // Iterating by index avoids copies of rows, which have many references each.
        rows.indices.allSatisfy { index in
            (rows[index].section.map { sections[$0] != nil } ?? true)
                && (rows[index].image?.isOfHost ?? true) && (rows[index].action.map(isSound) ?? true)
                && (rows[index].delete.map(isSound) ?? true)
                && rows[index].actions.allSatisfy(isSound)
        }
    }

    private func hasDistinctIDs(_ rows: [Screen.Row]) -> Bool {
        if rows.count > Self.comparableRows { return Set(rows.map(\.id)).count == rows.count }
        return rows.indices.allSatisfy { index in !rows[..<index].contains { $0.id == rows[index].id } }
    }

    private func action(_ action: Action, _ diagnostics: inout [Diagnostic]) -> Action? {
        if isSound(action) { return action }
        if let path = action.opens, !hasSoundPath(action) {
            diagnostics.append(.invalidAddress(path, screen: screen, of: action.title))
            return self.action(action.withoutPath(), &diagnostics)
        }
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
