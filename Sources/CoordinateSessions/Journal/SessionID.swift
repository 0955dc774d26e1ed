/// A session's id: 128 bits from the system's secure generator, written as 22 URL-safe characters (RFC 4648, section 5,
/// without padding).
///
/// Whoever knows it controls the session: it belongs into no log. Ids are ordered, so that those who commit several
/// sessions at once can all do so in one order.
public struct SessionID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// A new one that cannot be guessed.
    public static func random() -> SessionID {
        var generator = SystemRandomNumberGenerator()
        return SessionID(high: generator.next(), low: generator.next())
    }

    /// Half of it is as random as the whole, and an id that is looked up by anybody, but made here alone, needs no more.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
    }

    /// All 128 bits: as much of a secret as the id itself.
    package var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// Tells sessions apart without giving their ids away: 32 of the 128 bits, mixed.
    package var fingerprint: String {
        let mixed = (high ^ low) &* 0x9E37_79B9_7F4A_7C15
        return String(UInt32(truncatingIfNeeded: mixed >> 32), radix: 36)
    }

    /// Where this id belongs among a number of shards, a power of two.
    package func shard(of count: Int) -> Int {
        Int(truncatingIfNeeded: low) & (count - 1)
    }
}

extension SessionID: LosslessStringConvertible {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let length = 22

    /// Nil for any text that ``description`` would not give.
    public init?(_ description: String) {
        self.init(utf8: description.utf8.span)
    }

    /// Nil for any text that ``description`` would not give.
    package init?(utf8 text: Span<UInt8>) {
        guard text.count == Self.length else { return nil }
        var bits: UInt128 = 0
        var last: UInt8 = 0
        for index in text.indices {
            guard let value = Self.value(of: text[index]) else { return nil }
            // All but the last two bits of the last character.
            bits = bits << 6 | UInt128(last)
            last = value
        }
        guard last & 0b1111 == 0 else { return nil }
        bits = bits << 2 | UInt128(last >> 4)
        self.init(bits: bits)
    }

    public var description: String {
        var characters: [UInt8] = []
        characters.reserveCapacity(Self.length)
        write(to: &characters)
        return String(decoding: characters, as: UTF8.self)
    }

    /// Appends its ``description``.
    package func write(to characters: inout [UInt8]) {
        let bits = bits
        for shift in stride(from: 122, through: 2, by: -6) {
            characters.append(Self.alphabet[Int(truncatingIfNeeded: bits >> UInt128(shift)) & 63])
        }
        characters.append(Self.alphabet[Int(truncatingIfNeeded: bits << 4) & 63])
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

extension SessionID {
    /// The one with these ``bits``.
    package init(bits: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
}

extension SessionID: Comparable {
    public static func < (one: SessionID, other: SessionID) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}
