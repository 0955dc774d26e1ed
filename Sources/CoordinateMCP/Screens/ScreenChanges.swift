internal import Coordinate
internal import JSON

/// The difference between two screens of a session, as short phrases: `tab Profile: badge none → 1`.
struct ScreenChanges {
    /// The most phrases. A model reads the rest on the screen.
    private static let limit = 40

    private let older: VisibleState
    private let newer: VisibleState
    private var phrases: [String] = []

    static func phrases(from older: VisibleState, to newer: VisibleState) -> [String] {
        var changes = ScreenChanges(older, newer)
        changes.compareScreens()
        changes.compareTabs()
        changes.comparePending()
        changes.compare("parked link:", older.parked, newer.parked)
        let phrases = changes.phrases
        guard phrases.count > limit else { return phrases }
        return phrases.prefix(limit) + ["and \(phrases.count - limit) more changes"]
    }

    private init(_ older: VisibleState, _ newer: VisibleState) {
        self.older = older
        self.newer = newer
    }

    // MARK: The screen

    private mutating func compareScreens() {
        let (before, after) = (older.screen, newer.screen)
        guard before.name == after.name, older.leaf == newer.leaf, before.title == after.title else {
            return phrases.append("screen: \(Self.name(of: before)) → \(Self.name(of: after))")
        }
        compare("path:", older.path, newer.path)
        compare("status:", before.status.rawValue, after.status.rawValue)
        compare("message:", before.message, after.message)
        match(before.sections, after.sections, by: \.id, "section", \.name) { changes, section, before, after in
            changes.compare("\(section): title", before.title, after.title)
            changes.compare("\(section): footer", before.footer, after.footer)
        }
        compare("empty list:", before.emptyText, after.emptyText)
        match(before.rows, after.rows, by: \.id, "row", \.title) { changes, row, before, after in
            changes.compare("\(row): title", before.title, after.title)
            changes.compare("\(row): subtitle", before.subtitle, after.subtitle)
            changes.compare("\(row): value", before.value, after.value)
            changes.compare("\(row): section", before.section, after.section)
            changes.compare("\(row): favorite", before.isFavorite ? "yes" : "no", after.isFavorite ? "yes" : "no")
            changes.compare(before.action.map { [$0] } ?? [], after.action.map { [$0] } ?? [], of: "\(row): ")
            changes.compare(before.delete.map { [$0] } ?? [], after.delete.map { [$0] } ?? [], of: "\(row): ")
            changes.compare(before.actions, after.actions, of: "\(row): ")
        }
        compare(before.actions, after.actions, of: "")
        if before.content != after.content { phrases.append("content changed") }
    }

    private static func name(of screen: Screen) -> String {
        let title = screen.title.flatMap { $0.isEmpty ? nil : $0 } ?? screen.name
        return screen.style == .page ? title : "\(title) (\(screen.style.rawValue))"
    }

    private mutating func compare(_ older: [Action], _ newer: [Action], of owner: String) {
        match(older, newer, by: \.title, "\(owner)action", \.title) { changes, _, before, after in
            changes.match(before.inputs, after.inputs, by: \.field, "\(owner)input", \.title) {
                changes, input, before, after in
                if before.value != after.value {
                    changes.phrases.append("\(input): value \(Self.text(before.value)) → \(Self.text(after.value))")
                }
                changes.compare("\(input): error", before.error, after.error)
            }
        }
    }

    // MARK: Around the screen

    private mutating func compareTabs() {
        // A sheet has no tabs, and the screen below it has them again.
        guard !older.tabs.isEmpty, !newer.tabs.isEmpty else {
            if !older.tabs.isEmpty { phrases.append("tabs gone") }
            if !newer.tabs.isEmpty {
                phrases.append("tabs appeared: \(newer.tabs.map { Self.text($0.title) }.joined(separator: ", "))")
            }
            return
        }
        compare("tab:", older.tabs.first(where: \.isSelected)?.title, newer.tabs.first(where: \.isSelected)?.title)
        match(older.tabs, newer.tabs, by: \.title, "tab", \.title) { changes, tab, before, after in
            changes.compare("\(tab): badge", before.badge, after.badge)
        }
    }

    private mutating func comparePending() {
        match(older.pending, newer.pending, by: \.id, "pending", \.name, gone: ": finished", appeared: ": begun") {
            _, _, _, _ in
        }
    }

    // MARK: Values

    /// Visits the elements of two lists by a field that identifies them: the newer ones in order, then those that are
    /// gone.
    ///
    /// - Parameters:
    ///   - kind: The word for an element in phrases.
    ///   - name: The name of an element in phrases.
    ///   - compare: Compares an element that is in both lists.
    private mutating func match<Element, Key: Hashable>(
        _ older: [Element], _ newer: [Element], by key: KeyPath<Element, Key>, _ kind: String,
        _ name: KeyPath<Element, String>, gone: String = " gone", appeared: String = " appeared",
        _ compare: (inout ScreenChanges, _ name: String, _ before: Element, _ after: Element) -> Void
    ) {
        func phrase(_ element: Element) -> String { "\(kind) \(Self.text(element[keyPath: name]))" }
        // Elements with the same key are matched in order.
        var places: [Key: ArraySlice<Int>] = [:]
        for (place, element) in older.enumerated() { places[element[keyPath: key], default: []].append(place) }
        var isLeft = older.map { _ in true }
        for element in newer {
            guard let place = places[element[keyPath: key]]?.popFirst() else {
                phrases.append(phrase(element) + appeared)
                continue
            }
            isLeft[place] = false
            compare(&self, phrase(element), older[place], element)
        }
        for (place, element) in older.enumerated() where isLeft[place] { phrases.append(phrase(element) + gone) }
    }

    /// - Parameter what: The beginning of the phrase.
    private mutating func compare(_ what: String, _ before: String?, _ after: String?) {
        guard before != after else { return }
        phrases.append("\(what) \(Self.text(before)) → \(Self.text(after))")
    }

    private static func text(_ text: String?) -> String {
        switch text {
        case nil: "none"
        case "": "empty"
        case let text?: text
        }
    }

    private static func text(_ value: PlainValue) -> String {
        switch value {
        case .null: "none"
        case .bool(let value): value ? "yes" : "no"
        case .int(let number): "\(number)"
        case .double(let number): number.whole.map { "\($0)" } ?? "\(number)"
        case .string(let text): Self.text(text)
        case .array(let elements): elements.isEmpty ? "none" : "\(elements.count) values"
        case .object: "…"
        }
    }
}

extension Screen.Section {
    /// The text by which a reader knows it.
    fileprivate var name: String { title ?? id }
}
