/// A table of items and the times at which they are due, in nanoseconds of a monotonic clock, with a precision of a
/// twentieth of a second.
///
/// Adding, moving and removing an item take constant time. Finding the next one takes time proportional to the number
/// of different times.
struct Deadlines<Item: Hashable> {
    static var step: Int64 { 50_000_000 }

    private var items: [Int64: Set<Item>] = [:]
    private var steps: [Item: Int64] = [:]

    /// Adds an item, or moves it to a new time. It never becomes due before that time.
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

    /// The time at which the next item is due.
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
