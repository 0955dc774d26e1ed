/// A table of the times at which items are due, to a twentieth of a second; in nanoseconds of a clock that never jumps.
///
/// Entering, moving and removing an item take the same time however many there are; finding the next one takes as long
/// as there are different times in it.
struct Deadlines<Item: Hashable> {
    static var step: Int64 { 50_000_000 }

    private var items: [Int64: Set<Item>] = [:]
    private var steps: [Item: Int64] = [:]

    /// Enters an item, in place of its former time if it has one. It never becomes due before that time.
    mutating func enter(_ item: Item, at time: Int64) {
        remove(item)
        let step = (time + Self.step - 1) / Self.step
        items[step, default: []].insert(item)
        steps[item] = step
    }

    mutating func remove(_ item: Item) {
        guard let step = steps.removeValue(forKey: item) else { return }
        items[step]?.remove(item)
        if items[step]?.isEmpty == true { items[step] = nil }
    }

    /// The time at which an item is due next.
    var next: Int64? {
        items.keys.min().map { Self.step * $0 }
    }

    /// Removes the items that are due.
    mutating func removeDue(by now: Int64) -> [Item] {
        let due = items.keys.filter { Self.step * $0 <= now }.sorted().flatMap { items.removeValue(forKey: $0) ?? [] }
        for item in due { steps[item] = nil }
        return due
    }
}
