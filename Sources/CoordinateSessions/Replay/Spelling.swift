/// Finds what somebody meant.
package enum Spelling {
    /// The name that is closest to a misspelt one, nil where none is close: more than a third of its letters differ.
    package static func nearest(to name: String, among names: [String]) -> String? {
        let wanted = Array(name.lowercased().prefix(100))
        let best = names.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance * 3 <= max(wanted.count, best.name.count) else { return nil }
        return best.name
    }

    /// How many letters must be added, removed or replaced to make one word of the other (Levenshtein).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (i, left) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in other.enumerated() {
                let replaced = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
