extension String {
    /// Whether the text has no more than 256 combining marks in a row, also once its escapes are decoded as in a path.
    ///
    /// Swift sorts such marks before it compares or hashes a text (Unicode Standard Annex 15), in a time that grows with
    /// the square of their number. A text of 64 KiB could keep a thread busy for seconds.
    package var hasShortMarkRuns: Bool {
        guard utf8.contains(where: { $0 >= 0xCC || $0 == UInt8(ascii: "%") }) else { return true }
        return Self.areShortRuns(self) && (RoutePath.decode(self[...].utf8).map(Self.areShortRuns) ?? true)
    }

    private static func areShortRuns(_ text: String) -> Bool {
        var run = 0
        return text.unicodeScalars.allSatisfy { scalar in
            // The first combining mark is U+0300.
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            return run <= 256
        }
    }
}
