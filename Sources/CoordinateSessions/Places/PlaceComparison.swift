internal import Coordinate
internal import JSON

/// What a session has lost, what has changed, and how much it has gained with another version of the app.
package struct PlaceComparison: Codable, Equatable, Sendable {
    /// One thing that differs.
    package struct Difference: Codable, Equatable, Sendable {
        package enum Cause: String, Codable, Sendable {
            case path, screen, style, status, row, offer, input, pending, parked, fact
            /// Changes, not losses.
            case text, value
        }

        package let cause: Cause
        /// The name of the screen.
        package let screen: String
        /// The app's name for it: an event, the field of an event, work or a timer, a fact, the id of a row, or the kind
        /// of a text. `nil` if there is only one.
        package let name: String?
        /// The text by which a person knows it; `nil` if there is none.
        package let title: String?
        /// The title of the row to which it belongs; `nil` if it belongs to none.
        package let row: String?
        package let was: String
        /// `nil` if it is gone.
        package let now: String?

        /// What differences of several sessions have in common. Values, and ids of rows, differ from session to session.
        package struct Group: Hashable, Sendable {
            package let cause: Cause
            /// `nil` for what no screen shows.
            package var screen: String?
            package var name: String?
        }

        package var group: Group {
            switch cause {
            case .row: Group(cause: cause, screen: screen)
            // Names may have numbers: "upload 17".
            case .pending, .fact, .parked:
                Group(cause: cause, name: name.map { String($0.map { $0.isNumber ? "#" : $0 }) })
            default: Group(cause: cause, screen: screen, name: name)
            }
        }
    }

    /// The most differences of one ``Difference/group`` that are listed: rows may be many.
    private static let limit = 10

    /// What is gone, and what must not differ, most important first.
    package private(set) var lost: [Difference] = []
    /// The texts and values that differ.
    package private(set) var changed: [Difference] = []
    /// The number of rows, actions, inputs, pieces of work and facts that are new.
    package private(set) var gained = 0

    /// The number of differences that are not listed.
    package private(set) var unlisted = 0
    /// The version and the path of the recorded place.
    package let version: Int
    package let path: String

    private var screen = ""
    /// The number of differences in each group.
    private var counts: [Difference.Group: Int] = [:]

    private enum CodingKeys: CodingKey { case version, path, lost, changed, gained, unlisted }

    /// Compares the place of a session with the recorded one, in time that is linear in their sizes.
    init(of place: Place, with recorded: Place, _ events: EventCatalog) {
        (version, path, screen) = (recorded.version, recorded.path, recorded.screen)
        if place == recorded { return }
        compare(.path, recorded.path, place.path)
        compare(.screen, recorded.screen, place.screen)
        // On another screen, nothing that the recorded one shows can be expected.
        if recorded.screen == place.screen {
            compare(.style, recorded.style, place.style)
            compare(.status, recorded.status, place.status)
            compareRows(recorded, place)
            compareOffers(recorded, place, events)
            compareTexts(.text, recorded.texts, place.texts)
        }
        comparePending(recorded, place)
        if recorded.parked != nil || place.parked != nil {
            compare(.parked, recorded.parked ?? "none", place.parked)
        }
        compareTexts(.fact, recorded.facts, place.facts)
    }

    /// Compares a session with its recorded place.
    ///
    /// - Parameters:
    ///   - tree: The session's tree at the version of the place.
    ///   - appVersion: The version of the app that recorded the place.
    ///   - last: The last entry that was replayed; `nil` for version 0.
    package init(of tree: SessionTree, with recorded: Place, from appVersion: String, _ last: JournalEntry?) {
        let now = Place(of: tree)
        let expected = now == recorded ? recorded : recorded.migrated(to: now, in: tree, from: appVersion, last)
        self.init(of: now, with: expected, tree.app.events)
    }

    /// A session that has fewer events than when its place was recorded.
    package init(of recorded: Place, missingAfter version: Int) {
        (self.version, path, screen) = (recorded.version, recorded.path, recorded.screen)
        add(
            .path, was: "\(recorded.path) at version \(recorded.version)",
            now: "missing: the journal ends at version \(version)")
    }

    private mutating func add(
        _ cause: Difference.Cause, _ name: String? = nil, title: String? = nil, of row: String? = nil, was: String,
        now: String?
    ) {
        let difference = Difference(
            cause: cause, screen: screen, name: name, title: title, row: row, was: was, now: now)
        counts[difference.group, default: 0] += 1
        if counts[difference.group, default: 0] > Self.limit {
            unlisted += 1
            return
        }
        if [.text, .value].contains(cause) { changed.append(difference) } else { lost.append(difference) }
    }

    private mutating func compare(
        _ cause: Difference.Cause, _ was: String, _ now: String?, name: String? = nil, title: String? = nil,
        of row: String? = nil
    ) {
        if was != now { add(cause, name, title: title, of: row, was: was, now: now) }
    }
}

// MARK: Screens

extension PlaceComparison {
    private mutating func compareRows(_ recorded: Place, _ place: Place) {
        let rows = Dictionary(place.rows.map { ($0.id, $0) }) { first, _ in first }
        var kept = 0
        for row in recorded.rows {
            guard let now = rows[row.id] else {
                let texts = [row.title, row.subtitle, row.value].compactMap(\.self)
                add(.row, row.id, title: row.title, was: texts.joined(separator: ", "), now: nil)
                continue
            }
            kept += 1
            let title = row.title
            compare(.text, title, now.title, name: "row title", of: title)
            compare(.text, row.subtitle ?? "", now.subtitle ?? "", name: "row subtitle", of: title)
            compare(.value, row.value ?? "", now.value ?? "", name: "row value", of: title)
            compare(.value, "\(row.isFavorite)", "\(now.isFavorite)", name: "row favorite", of: title)
        }
        gained += place.rows.count - kept
    }

    private mutating func compareOffers(_ recorded: Place, _ place: Place, _ events: EventCatalog) {
        var offered = OfferIndex(of: place.offers, events)
        let rows = Set(place.rows.map(\.id))
        let titles = Dictionary(recorded.rows.map { ($0.id, $0.title) }) { first, _ in first }
        for offer in recorded.offers {
            // The offers of a row that is gone are gone with it.
            if let row = offer.row, !rows.contains(row) { continue }
            let row = offer.row.flatMap { titles[$0] }
            guard let now = offered.match(offer) else {
                let other = offered.alternative(to: offer)
                let isElsewhere = other.map { $0.coordinator != offer.coordinator } ?? false
                add(
                    .offer, offer.event, title: offer.title, of: row, was: offer.text(withCoordinator: isElsewhere),
                    now: other?.text(withCoordinator: isElsewhere))
                continue
            }
            compare(.text, offer.title, now.title, name: "title of \(offer.event)", of: row)
            if now.row != offer.row {
                add(
                    .text, "row of \(offer.event)", title: offer.title, was: row ?? "none",
                    now: now.row.flatMap { titles[$0] } ?? "none")
            }
            for input in offer.inputs {
                let name = "\(offer.event).\(input.field)"
                guard let same = now.inputs.first(where: { $0.field == input.field }) else {
                    add(.input, name, title: input.title, was: "in the form \"\(offer.title)\"", now: nil)
                    continue
                }
                compare(.text, input.title, same.title, name: "title of \(name)")
                compare(.text, input.error ?? "", same.error ?? "", name: "error of \(name)", title: input.title)
                let choices = Set(same.choices)
                for choice in input.choices where !same.choices.isEmpty && !choices.contains(choice) {
                    add(.value, "choice of \(name)", title: input.title, was: choice, now: nil)
                }
                compare(
                    .value, offer.payload[field: input.field].text, now.payload[field: input.field].text, name: name,
                    title: input.title)
            }
            gained += now.inputs.count { input in !offer.inputs.contains { $0.field == input.field } }
        }
        gained += offered.unmatched(in: Set(recorded.rows.map(\.id)))
    }

    /// Compares the texts of a screen, or the facts, by their names.
    private mutating func compareTexts(_ cause: Difference.Cause, _ recorded: [Place.Text], _ texts: [Place.Text]) {
        let now = Dictionary(texts.map { ($0.name, $0.text) }) { first, _ in first }
        for text in recorded { compare(cause, text.text, now[text.name], name: text.name) }
        let known = Set(recorded.map(\.name))
        for text in texts where !known.contains(text.name) {
            if cause == .fact { gained += 1 } else { add(cause, text.name, was: "", now: text.text) }
        }
    }

    private mutating func comparePending(_ recorded: Place, _ place: Place) {
        var counts = place.pending.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for name in recorded.pending {
            if counts[name, default: 0] > 0 {
                counts[name, default: 0] -= 1
            } else {
                add(.pending, name, was: "pending", now: nil)
            }
        }
        gained += counts.values.reduce(0, +)
    }
}

extension PlainValue? {
    /// The value as a person reads it.
    var text: String {
        guard let self else { return "" }
        if case .string(let text) = self { return text }
        var json = JSONWriter<[UInt8]>(capacity: 64)
        json.plain(self)
        return String(decoding: json.finish(), as: UTF8.self)
    }
}

extension Place.Offer {
    /// The event with its payload, or with the inputs of its form.
    fileprivate func text(withCoordinator: Bool) -> String {
        let fields = inputs.isEmpty ? " \(Optional(payload).text)" : "(\(inputs.map(\.field).joined(separator: ", ")))"
        return event + (fields == " {}" ? "" : fields) + (withCoordinator ? " at \(coordinator)" : "")
    }
}

extension PlaceComparison.Difference: CustomStringConvertible {
    /// The difference as a clause: `row "Lamp" (lamp) is gone`.
    package var description: String {
        let known = (title ?? (cause == .pending ? name : nil)).map { "\"\($0)\"" } ?? (row == nil ? name : nil)
        let place = row.map { "of \"\($0)\"" }
        let detail = title == nil && row == nil ? nil : name.map { "(\($0))" }
        let subject = [cause.rawValue, known, place, detail].compactMap(\.self).joined(separator: " ")
        switch (cause, now) {
        case (_, let now?): return "\(subject) was \(was.quoted), and is \(now.quoted) now"
        case (.row, nil), (.offer, nil), (.input, nil), (.pending, nil): return "\(subject) is gone"
        case (_, nil): return "\(subject) was \(was.quoted), and is gone"
        }
    }
}

extension String {
    /// The text, in quotation marks if it would not be seen as one word, and has none.
    fileprivate var quoted: String { isEmpty || contains(" ") && !contains("\"") ? "\"\(self)\"" : self }
}
