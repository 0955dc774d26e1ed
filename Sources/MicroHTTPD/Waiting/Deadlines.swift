/// A table of the times at which items are due, to a twentieth of a second.
///
/// Entering, moving and removing an item take the same time however many there are; finding the next one takes as long
/// as there are different times in it.
struct Deadlines<Item: Hashable> {
    private static var step: Duration { .milliseconds(50) }

    private let start = ContinuousClock.now
    private var items: [Int: Set<Item>] = [:]
    private var steps: [Item: Int] = [:]

    /// Enters an item, in place of its former time if it has one. It never becomes due before that time.
    mutating func enter(_ item: Item, at time: ContinuousClock.Instant) {
        remove(item)
        let step = Int(((time - start) / Self.step).rounded(.up))
        items[step, default: []].insert(item)
        steps[item] = step
    }

    mutating func remove(_ item: Item) {
        guard let step = steps.removeValue(forKey: item) else { return }
        items[step]?.remove(item)
        if items[step]?.isEmpty == true { items[step] = nil }
    }

    /// The time at which an item is due next.
    var next: ContinuousClock.Instant? {
        items.keys.min().map { start + Self.step * $0 }
    }

    /// Removes the items that are due.
    mutating func removeDue(by now: ContinuousClock.Instant) -> [Item] {
        let due = items.keys.filter { start + Self.step * $0 <= now }.sorted()
            .flatMap { items.removeValue(forKey: $0) ?? [] }
        for item in due { steps[item] = nil }
        return due
    }
}
