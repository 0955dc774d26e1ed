/// A session's id: 128 bits from the system's secure generator, written as 22 URL-safe characters (RFC 4648, section 5,
/// without padding).
///
/// A client that knows the id controls the session, so the id must not be logged. Ids are ordered, so that servers that
/// commit several sessions at once can do so in the same order.
public struct SessionID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates a new id that cannot be guessed.
    public static func random() -> SessionID {
        var generator = SystemRandomNumberGenerator()
        return SessionID(high: generator.next(), low: generator.next())
    }

    /// Hashes half of the id, which is as random as the whole. Clients can look up any id, but only servers create
    /// them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
    }

    /// All 128 bits, which are as secret as the id itself.
    package var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// A hash that distinguishes sessions without revealing their ids: 32 of the 128 bits, mixed.
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

    /// Reads an id; `nil` if the text is not a ``description`` of one.
    public init?(_ description: String) {
        self.init(utf8: description.utf8.span)
    }

    /// Reads an id; `nil` if the text is not a ``description`` of one.
    package init?(utf8 text: Span<UInt8>) {
        guard text.count == Self.length else { return nil }
        var union: UInt8 = 0
        func number(in range: Range<Int>) -> UInt64 {
            var number: UInt64 = 0
            for index in range {
                let value = Self.values[Int(text[index])]
                union |= value
                number = number << 6 | UInt64(value)
            }
            return number
        }
        // The numbers have 60, 60 and 12 bits; the last 4 bits must be 0.
        let (first, second, last) = (number(in: 0..<10), number(in: 10..<20), number(in: 20..<22))
        guard union < 64, last & 0b1111 == 0 else { return nil }
        self.init(high: first << 4 | second >> 56, low: second << 8 | last >> 4)
    }

    /// The index of each byte in the alphabet; 255 if it is not in the alphabet.
    private static let values = InlineArray<256, UInt8> { byte in
        UInt8(alphabet.firstIndex(of: UInt8(byte)) ?? 255)
    }

    /// Whether a byte is a character of ids.
    package static func isCharacter(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

    public var description: String {
        var characters: [UInt8] = []
        characters.reserveCapacity(Self.length)
        write(to: &characters)
        return String(decoding: characters, as: UTF8.self)
    }

    /// Appends the ``description``.
    package func write(to characters: inout [UInt8]) {
        Self.write(high >> 4, count: 10, to: &characters)
        Self.write(high << 56 | low >> 8, count: 10, to: &characters)
        Self.write(low << 4, count: 2, to: &characters)
    }

    /// Appends the characters for the last bits of a number, 6 for each.
    private static func write(_ number: UInt64, count: Int, to characters: inout [UInt8]) {
        for place in 1...count {
            characters.append(alphabet[Int(truncatingIfNeeded: number >> UInt64(6 * (count - place))) & 63])
        }
    }
}

extension SessionID {
    /// Creates the id with these ``bits``.
    package init(bits: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
}

extension SessionID: Comparable {
    /// Compares the ids as their texts, byte by byte.
    public static func < (one: SessionID, other: SessionID) -> Bool {
        guard one != other else { return false }
        // The first of the 22 characters that differ.
        let place = (one.bits ^ other.bits).leadingZeroBitCount / 6
        return one.character(at: place) < other.character(at: place)
    }

    private func character(at place: Int) -> UInt8 {
        // The last character stands for 2 bits and 4 more that are 0.
        let bits = place == Self.length - 1 ? bits << 4 : bits >> (122 - 6 * place)
        return Self.alphabet[Int(truncatingIfNeeded: bits & 63)]
    }
}
