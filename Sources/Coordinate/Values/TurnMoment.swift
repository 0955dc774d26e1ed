/// The position of a turn in its session's history: its version, its time, the seed of its random numbers, and its
/// trace.
package struct TurnMoment: Equatable, Sendable {
    package var version: Int
    package var now: Timestamp
    package var seed: UInt64
    /// The trace, as in the journal's entry for the event; `nil` if the entry has none. Work that the turn requests
    /// belongs to the same trace.
    package var traceparent: String?

    package init(version: Int, now: Timestamp, seed: UInt64, traceparent: String? = nil) {
        self.version = version
        self.now = now
        self.seed = seed
        self.traceparent = traceparent
    }
}

/// The random numbers of a turn. They depend on the session's seed and the turn's version, so every replay gets the
/// same ones.
///
/// ```swift
/// let order = drivers.shuffled(using: &random)
/// ```
///
/// Use them for a game or a shuffled list, but not for secrets: the seed is enough to compute them all.
public struct TurnRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64, version: Int) {
        // Mixing the seed first keeps the sequences of two versions from overlapping.
        var mixer = TurnRandom(state: seed)
        state = mixer.next() ^ (UInt64(bitPattern: Int64(version)) &* 0xD129_0A96_4A5C_3A2B)
    }

    private init(state: UInt64) {
        self.state = state
    }

    /// Returns the next number (SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
    /// 2014).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
