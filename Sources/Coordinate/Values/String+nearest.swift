extension String {
    /// The most steps of one search for a similar name: about a millisecond. Names after that are not compared.
    private static let mostSteps = 250_000

    /// Returns the name that is most similar to this misspelled text; `nil` if more than a third of the letters differ
    /// in every name. Of very many names, only the first ones are compared.
    package func nearest(among names: [String]) -> String? {
        let wanted = Array(String(unicodeScalars.prefix(100)).lowercased().unicodeScalars)
        // A similar name has at most half as many letters again, of at most four bytes.
        let mostBytes = wanted.count * 6
        var best: (name: String, distance: Int)?
        var steps = Self.mostSteps
        for name in names where name.utf8.count <= mostBytes {
            let letters = Array(name.lowercased().unicodeScalars)
            let most = min(max(wanted.count, letters.count) / 3, best.map { $0.distance - 1 } ?? .max)
            steps -= letters.count
            guard steps > 0 else { break }
            // The difference in length is the minimum distance.
            guard abs(wanted.count - letters.count) <= most else { continue }
            if let distance = editDistance(wanted, letters, atMost: most, &steps) { best = (name, distance) }
        }
        return best?.name
    }
}

/// Returns the number of edits that turn one word into the other: letters added, removed, replaced, or swapped with
/// their neighbors (optimal string alignment). Returns `nil` if there are more than `most`.
///
/// - Parameter steps: Reduced by the number of pairs of letters that are compared.
private func editDistance(
    _ one: [Unicode.Scalar], _ other: [Unicode.Scalar], atMost most: Int, _ steps: inout Int
) -> Int? {
    let unreached = Array(repeating: most + 1, count: other.count + 1)
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    var leastOfLast = 0
    for (i, left) in one.enumerated() {
        // Each step away from the diagonal is an edit.
        let range = max(0, i - most)..<max(0, min(other.count, i + most + 1))
        guard !range.isEmpty else { return nil }
        var row = unreached
        row[0] = i + 1
        var leastOfRow = i + 1
        for j in range {
            let right = other[j]
            var least = min(last[j] + (left == right ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left == other[j - 1], right == one[i - 1] { least = min(least, beforeLast[j - 1] + 1) }
            row[j + 1] = least
            leastOfRow = min(leastOfRow, least)
        }
        steps -= range.count
        // No later row is less than both: a swap adds one to the row before the last.
        guard leastOfRow <= most || leastOfLast < most else { return nil }
        (beforeLast, last, leastOfLast) = (last, row, leastOfRow)
    }
    return last[other.count] <= most ? last[other.count] : nil
}
