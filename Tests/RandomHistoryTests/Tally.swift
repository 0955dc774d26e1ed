import Coordinate
import CoordinateSessions
import MisbehavingJournal

/// A second, simpler derivation of a tally's visible state from its events.
struct Tally {
    private var sum = 0
    private var pages = [0]
    private(set) var pending: [PendingWork]

    init(_ first: [PendingWork]) {
        pending = first
    }

    /// Derives the state of a session now, or at its end.
    init(of session: SessionID, in store: SharedStore) {
        self.init(store.firstWork(of: session) ?? [])
        for entry in store.history(of: session) ?? [] { take(entry) }
    }

    mutating func take(_ entry: JournalEntry) {
        pending.removeAll { $0.id == entry.pending || entry.ended.contains($0.id) }
        pending += entry.begun
        if entry.event == "navigation.open", let path = entry.payload[field: "path"]?.string {
            sum = path.split(separator: "/").last.flatMap { Int($0) } ?? 0
        } else if let number = entry.payload.number {
            sum = (sum * 31 + number) % 1_000_003
            if entry.event == "tally.push" { pages.append(number) }
            if entry.event == "tally.pop", pages.count > 1 { pages.removeLast() }
        }
    }

    var text: String {
        Picture.text(path: "/tally/\(sum)", page: "Page \(pages[pages.count - 1])", pages: pages.count, pending)
    }
}

/// The visible state of a tally: the path with the sum, the title of the page, the number of pages, and the pending
/// work.
final class Picture: EncodedRoute {
    let text: String

    init(_ state: NavigationState) {
        text = Self.text(
            path: state.path, page: state.screen.title ?? "", pages: state.tree.children.count, state.pending)
    }

    static func text(path: String, page: String, pages: Int, _ pending: [PendingWork]) -> String {
        "\(path) \(page) \(pages) \(pending.map(\.id))"
    }
}

extension PlainValue {
    /// The number of an event with this payload, unique in its history, except for the events that it led to.
    var number: Int? {
        if case .int(let number) = self[field: "number"] { return number }
        let text = self[field: "path"]?.string ?? self[field: "reason"]?.string
        return text?.split { $0 == "/" || $0 == " " }.last.flatMap { Int($0) }
    }
}
