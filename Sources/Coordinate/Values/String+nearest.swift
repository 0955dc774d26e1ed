extension String {
    /// Returns the name that is most similar to this misspelled text; `nil` if more than a third of the letters differ
    /// in every name.
    package func nearest(among names: [String]) -> String? {
        let wanted = Array(lowercased().unicodeScalars.prefix(100))
        var best: (name: String, distance: Int)?
        for name in names {
            let letters = Array(name.lowercased().unicodeScalars)
            let most = min(max(wanted.count, letters.count) / 3, best.map { $0.distance - 1 } ?? .max)
            // The difference in length is the minimum distance.
            guard abs(wanted.count - letters.count) <= most else { continue }
            let distance = editDistance(wanted, letters)
            if distance <= most { best = (name, distance) }
        }
        return best?.name
    }
}

/// Returns the number of edits that turn one word into the other: letters added, removed, replaced, or swapped with
/// their neighbors (optimal string alignment).
private func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (i, left) in one.enumerated() {
        var row = [i + 1]
        row.reserveCapacity(last.count)
        for (j, right) in other.enumerated() {
            var least = min(last[j] + (left == right ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left == other[j - 1], right == one[i - 1] { least = min(least, beforeLast[j - 1] + 1) }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[other.count]
}
