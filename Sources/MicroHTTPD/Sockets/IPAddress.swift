internal import Glibc

/// An IP address. An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the same as the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    /// The address as IPv6, most significant bits first. IPv4 is mapped (RFC 4291, section 2.5.5.2).
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private init(v4: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(v4))
    }

    /// 127.0.0.1.
    public static let loopback = IPAddress(v4: 0x7F00_0001)

    private static let mapped: UInt64 = 0xFFFF << 32

    /// Reads an address; `nil` if the text is not one, such as a name, or an address with a port, a zone or brackets.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        var v4 = in_addr()
        var v6 = in6_addr()
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    private init(_ address: in6_addr) {
        let (high, low) = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe (
                UInt64(bigEndian: bytes.load(as: UInt64.self)),
                UInt64(bigEndian: bytes.load(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: high, low: low)
    }

    /// Creates the address of the other side of a connected socket, or the unspecified address if it is unknown.
    init(peerOf socket: Int32) {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let family: sa_family_t = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard unsafe getpeername(socket, pointer, &size) == 0 else { return sa_family_t(AF_UNSPEC) }
            return unsafe bytes.load(as: sa_family_t.self)
        }
        switch Int32(family) {
        case AF_INET:
            // The address follows the family and the port.
            let v4 = unsafe withUnsafeBytes(of: address) { unsafe $0.load(fromByteOffset: 4, as: UInt32.self) }
            self.init(v4: UInt32(bigEndian: v4))
        case AF_INET6:
            self.init(address.sin6_addr)
        default:
            self.init(high: 0, low: 0)
        }
    }

    var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether only this machine can have the address (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    public var isLoopback: Bool {
        isV4 ? UInt8(truncatingIfNeeded: low >> 24) == 127 : high == 0 && low == 1
    }

    /// The address that represents all addresses of one owner: an IPv4 address itself, or the /64 of an IPv6 address,
    /// of which a machine may use any number of addresses (RFC 4291, section 2.5.1).
    public var holder: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }

    /// A number that identifies the address: all bits of IPv4, the first half of IPv6.
    public var number: UInt64 { isV4 ? low : high }

    /// The first bits of the address, with all others 0. The bits of an IPv4 address are counted from its first one.
    func prefix(_ length: Int) -> IPAddress {
        let length = isV4 ? length + 96 : length
        return IPAddress(
            high: length >= 64 ? high : high & ~(UInt64.max >> UInt64(length)),
            low: length >= 128 ? low : length <= 64 ? 0 : low & ~(UInt64.max >> UInt64(length - 64)))
    }
}

/// A range of IP addresses, such as `10.0.0.0/8`, or a single one.
public struct IPNetwork: Hashable, Sendable {
    private let first: IPAddress
    private let length: Int

    /// Reads a network; `nil` if the text is neither an address nor an address with a prefix length in bits.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let size = address.isV4 ? 32 : 128
        var length = size
        if parts.count == 2 {
            guard let number = UInt8(parts[1]), number <= size else { return nil }
            length = Int(number)
        }
        self.length = length
        first = address.prefix(length)
    }

    public func contains(_ address: IPAddress) -> Bool {
        address.isV4 == first.isV4 && address.prefix(length) == first
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address in its usual form: `192.0.2.1`, `2001:db8::1` (RFC 5952).
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isV4 {
            var address = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            _ = unsafe inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        } else {
            var bytes = (high.bigEndian, low.bigEndian)
            _ = unsafe inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
