/// Different elements in their order, in chunks, so that a change moves few of them.
struct SortedChunks<Element: Comparable & Sendable>: Sendable {
    private static var maximumSize: Int { 512 }

    /// Sorted; none is empty.
    private var chunks: [[Element]] = []
    private(set) var count = 0

    var first: Element? { chunks.first?.first }

    mutating func insert(_ element: Element) {
        count += 1
        guard !chunks.isEmpty else { return chunks.append([element]) }
        let index = chunk(of: element)
        chunks[index].insert(element, at: chunks[index].partitioningIndex { $0 >= element })
        guard chunks[index].count > Self.maximumSize else { return }
        let middle = chunks[index].count / 2
        chunks.insert(Array(chunks[index][middle...]), at: index + 1)
        chunks[index].removeSubrange(middle...)
    }

    mutating func remove(_ element: Element) {
        guard !chunks.isEmpty else { return }
        let index = chunk(of: element)
        let place = chunks[index].partitioningIndex { $0 >= element }
        guard place < chunks[index].count, chunks[index][place] == element else { return }
        count -= 1
        chunks[index].remove(at: place)
        if chunks[index].isEmpty { chunks.remove(at: index) }
    }

    /// Returns the elements after one, at most `limit`.
    func elements(after element: Element?, limit: Int) -> [Element] {
        guard !chunks.isEmpty else { return [] }
        var found: [Element] = []
        for chunk in chunks[(element.map(chunk) ?? 0)...] where found.count < limit {
            found += chunk.elements(after: element, limit: limit - found.count)
        }
        return found
    }

    /// The chunk to which an element belongs: the last one that does not begin after it.
    private func chunk(of element: Element) -> Int {
        max(0, chunks.partitioningIndex { $0[0] > element } - 1)
    }
}

extension Array where Element: Comparable {
    /// Returns the elements of a sorted array after one, at most `limit`.
    func elements(after element: Element?, limit: Int) -> [Element] {
        let start = element.map { element in partitioningIndex { $0 > element } } ?? 0
        return Array(self[start...].prefix(limit))
    }
}

extension Array {
    /// The index of the first element for which a condition holds; the condition holds for all later ones.
    fileprivate func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
