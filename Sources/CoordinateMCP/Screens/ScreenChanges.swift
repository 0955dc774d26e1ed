internal import Coordinate

/// The difference between two route documents, as short phrases: `tab Profile: badge none → 1`.
struct ScreenChanges {
    /// The most phrases. A model reads the rest on the screen.
    private static let limit = 40

    private let older: PlainValue
    private let newer: PlainValue
    private var phrases: [String] = []

    /// - Parameters:
    ///   - older: The route document before.
    ///   - newer: The route document after.
    static func phrases(from older: PlainValue, to newer: PlainValue) -> [String] {
        var changes = ScreenChanges(older, newer)
        changes.compareScreens()
        changes.compareTabs()
        changes.comparePending()
        changes.note("parked link:", older[field: "parked"]?[field: "path"], newer[field: "parked"]?[field: "path"])
        let phrases = changes.phrases
        guard phrases.count > limit else { return phrases }
        return phrases.prefix(limit) + ["and \(phrases.count - limit) more changes"]
    }

    private init(_ older: PlainValue, _ newer: PlainValue) {
        self.older = older
        self.newer = newer
    }

    // MARK: The screen

    private mutating func compareScreens() {
        let (before, after) = (older[field: "screen"] ?? .null, newer[field: "screen"] ?? .null)
        guard before[field: "name"] == after[field: "name"], older[field: "leaf"] == newer[field: "leaf"],
            before[field: "title"] == after[field: "title"]
        else {
            return phrases.append("screen: \(Self.name(of: before)) → \(Self.name(of: after))")
        }
        note("path:", older[field: "path"], newer[field: "path"])
        note("status:", before[field: "status"], after[field: "status"])
        note("message:", before[field: "message"], after[field: "message"])
        compareRows(before, after)
        compareActions(before[field: "actions"], after[field: "actions"], of: "")
    }

    private static func name(of screen: PlainValue) -> String {
        let title = screen[field: "title"]?.string ?? ""
        let name = title.isEmpty ? screen[field: "name"]?.string ?? "none" : title
        let style = screen[field: "style"]?.string ?? "page"
        return style == "page" ? name : "\(name) (\(style))"
    }

    private mutating func compareRows(_ older: PlainValue, _ newer: PlainValue) {
        match(older[field: "rows"], newer[field: "rows"], by: "id") { changes, before, after in
            let row = "row \(Self.text((after ?? before)?[field: "title"]))"
            guard let before, let after else {
                return changes.phrases.append("\(row) \(after == nil ? "gone" : "appeared")")
            }
            for field in ["title", "subtitle", "value", "favorite"] {
                changes.note("\(row): \(field)", before[field: field], after[field: field])
            }
            for field in ["action", "delete"] {
                changes.compareActions(
                    Self.list(before[field: field]), Self.list(after[field: field]), of: "\(row): ")
            }
            changes.compareActions(before[field: "actions"], after[field: "actions"], of: "\(row): ")
        }
    }

    private static func list(_ value: PlainValue?) -> PlainValue {
        .array(value.map { $0 == .null ? [] : [$0] } ?? [])
    }

    private mutating func compareActions(_ older: PlainValue?, _ newer: PlainValue?, of owner: String) {
        match(older, newer, by: "title") { changes, before, after in
            let action = "\(owner)action \(Self.text((after ?? before)?[field: "title"]))"
            guard let before, let after else {
                return changes.phrases.append("\(action) \(after == nil ? "gone" : "appeared")")
            }
            changes.match(before[field: "inputs"], after[field: "inputs"], by: "field") { changes, before, after in
                let input = "\(owner)input \(Self.text((after ?? before)?[field: "title"]))"
                guard let before, let after else {
                    return changes.phrases.append("\(input) \(after == nil ? "gone" : "appeared")")
                }
                changes.note("\(input): value", before[field: "value"], after[field: "value"])
                changes.note("\(input): error", before[field: "error"], after[field: "error"])
            }
        }
    }

    // MARK: Around the screen

    private mutating func compareTabs() {
        let tabs = [older, newer].map { $0[field: "navigation"]?[field: "tabs"]?.elements ?? [] }
        // A sheet has no tabs, and the screen below it has them again.
        guard !tabs[0].isEmpty, !tabs[1].isEmpty else {
            if !tabs[0].isEmpty { phrases.append("tabs gone") }
            if !tabs[1].isEmpty { phrases.append("tabs appeared: \(Self.titles(of: tabs[1]))") }
            return
        }
        let selected = tabs.map { tabs in tabs.first { $0[field: "selected"] == .bool(true) }?[field: "title"] }
        note("tab:", selected[0], selected[1])
        match(.array(tabs[0]), .array(tabs[1]), by: "title") { changes, before, after in
            let tab = "tab \(Self.text((after ?? before)?[field: "title"]))"
            guard let before, let after else {
                return changes.phrases.append("\(tab) \(after == nil ? "gone" : "appeared")")
            }
            changes.note("\(tab): badge", before[field: "badge"], after[field: "badge"])
        }
    }

    private static func titles(of tabs: [PlainValue]) -> String {
        tabs.map { text($0[field: "title"]) }.joined(separator: ", ")
    }

    private mutating func comparePending() {
        match(older[field: "pending"], newer[field: "pending"], by: "id") { changes, before, after in
            guard before == nil || after == nil else { return }
            let name = Self.text((after ?? before)?[field: "name"])
            changes.phrases.append("pending \(name): \(after == nil ? "finished" : "begun")")
        }
    }

    // MARK: Values

    /// Visits the elements of two lists by a field that identifies them: the newer ones in order, then those that are
    /// gone.
    private mutating func match(
        _ older: PlainValue?, _ newer: PlainValue?, by key: String,
        _ visit: (inout ScreenChanges, _ before: PlainValue?, _ after: PlainValue?) -> Void
    ) {
        let older = older?.elements ?? []
        // Elements with the same key are matched in order.
        var places: [PlainValue?: ArraySlice<Int>] = [:]
        for (place, element) in older.enumerated() { places[element[field: key], default: []].append(place) }
        var isLeft = older.map { _ in true }
        for element in newer?.elements ?? [] {
            let place = places[element[field: key]]?.popFirst()
            if let place { isLeft[place] = false }
            visit(&self, place.map { older[$0] }, element)
        }
        for (place, element) in older.enumerated() where isLeft[place] { visit(&self, element, nil) }
    }

    /// - Parameter what: The beginning of the phrase.
    private mutating func note(_ what: String, _ before: PlainValue?, _ after: PlainValue?) {
        guard (before ?? .null) != (after ?? .null) else { return }
        phrases.append("\(what) \(Self.text(before)) → \(Self.text(after))")
    }

    private static func text(_ value: PlainValue?) -> String {
        switch value {
        case nil, .null: "none"
        case .bool(let value): value ? "yes" : "no"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text.isEmpty ? "empty" : text
        case .array(let elements): elements.isEmpty ? "none" : "\(elements.count) values"
        case .object: "…"
        }
    }
}
