/// A session's id: 128 bits from the system's secure generator, written as 22 URL-safe characters (RFC 4648, section 5,
/// without padding).
///
/// Whoever knows it controls the session, so it must not be logged. Ids are ordered, so that servers that commit
/// several sessions at once can do so in the same order.
public struct SessionID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Makes a new id that cannot be guessed.
    public static func random() -> SessionID {
        var generator = SystemRandomNumberGenerator()
        return SessionID(high: generator.next(), low: generator.next())
    }

    /// Hashes half of the id, which is as random as the whole. Clients can look up any id, but only servers make them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
    }

    /// All 128 bits, which are as secret as the id itself.
    package var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// A hash that tells sessions apart without giving their ids away: 32 of the 128 bits, mixed.
    package var fingerprint: String {
        let mixed = (high ^ low) &* 0x9E37_79B9_7F4A_7C15
        return String(UInt32(truncatingIfNeeded: mixed >> 32), radix: 36)
    }

    /// The shard of this id among a number of shards, a power of two.
    package func shard(of count: Int) -> Int {
        Int(truncatingIfNeeded: low) & (count - 1)
    }
}

extension SessionID: LosslessStringConvertible {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let length = 22

    /// Reads an id; nil for any text that is no ``description`` of one.
    public init?(_ description: String) {
        self.init(utf8: description.utf8.span)
    }

    /// Reads an id; nil for any text that is no ``description`` of one.
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

    /// Appends the ``description``.
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
    /// Makes the id with these ``bits``.
    package init(bits: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
}

extension SessionID: Comparable {
    public static func < (one: SessionID, other: SessionID) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}
