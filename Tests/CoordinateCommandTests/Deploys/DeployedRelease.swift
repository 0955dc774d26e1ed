import CoordinateTesting

/// A release of the basket that takes the place of the first, with the rule for the sessions that lose something.
enum DeployedRelease: String, CaseIterable {
    /// It has other texts.
    case retitled
    /// It has other names, and migrates recorded events.
    case renamed
    /// Baskets are empty.
    case emptied
    /// The button of the checkout leads elsewhere, so sessions that pressed it are quarantined.
    case moved

    /// Whether it loses something in a session with these events.
    func loses(_ events: some Sequence<Document.JournalEntry>) -> Bool {
        switch self {
        case .retitled, .renamed: false
        case .emptied: !items(after: events).isEmpty
        case .moved: events.contains { $0.event == "basket.checkOut" && $0.path == "/basket/checkout" }
        }
    }

    /// The products in the basket of the first release after these events.
    private func items(after events: some Sequence<Document.JournalEntry>) -> Set<String> {
        var items: Set<String> = []
        for event in events {
            let product = event.payload["product"]?.string ?? ""
            switch event.event {
            case "basket.add", "basket.more": items.insert(product)
            case "basket.remove": items.remove(product)
            case "basket.enter" where event.path == "/shelf": items = []
            default: break
            }
        }
        return items
    }
}
