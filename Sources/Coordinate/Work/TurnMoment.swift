/// The place of a turn in its session's history: its version, its time, the seed of its random numbers, and its trace.
package struct TurnMoment: Equatable, Sendable {
    package var version: Int
    package var now: Timestamp
    package var seed: UInt64
    /// The trace, as in the entry of the turn's event; `nil` if it has none. What the turn asks for belongs to it, too.
    package var traceparent: String?

    package init(version: Int, now: Timestamp, seed: UInt64, traceparent: String? = nil) {
        self.version = version
        self.now = now
        self.seed = seed
        self.traceparent = traceparent
    }
}

/// The random numbers of a turn: made from its session's seed and its version, so that they are the same in every
/// replay.
///
/// ```swift
/// let order = drivers.shuffled(using: &random)
/// ```
///
/// They are good for a game or a shuffled list, and not for secrets: whoever knows the seed can compute them all.
public struct TurnRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64, version: Int) {
        // The seeds of two versions must be far apart, or one would repeat what the other has given: so the first is
        // mixed.
        var mixer = TurnRandom(state: seed)
        state = mixer.next() ^ (UInt64(bitPattern: Int64(version)) &* 0xD129_0A96_4A5C_3A2B)
    }

    private init(state: UInt64) {
        self.state = state
    }

    /// The next number (SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
