extension String {
    /// The name that is closest to this misspelt text; `nil` if none is close: more than a third of its letters differ.
    package func nearest(among names: [String]) -> String? {
        let wanted = Array(lowercased().unicodeScalars.prefix(100))
        var best: (name: String, distance: Int)?
        for name in names {
            let letters = Array(name.lowercased().unicodeScalars)
            let most = min(max(wanted.count, letters.count) / 3, best.map { $0.distance - 1 } ?? .max)
            // As many letters as one has more than the other must be added at least.
            guard abs(wanted.count - letters.count) <= most else { continue }
            let distance = editDistance(wanted, letters)
            if distance <= most { best = (name, distance) }
        }
        return best?.name
    }
}

/// The number of letters that must be added, removed or replaced, or of neighbours that must change places, to make one
/// word of the other (optimal string alignment).
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
