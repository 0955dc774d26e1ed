internal import Glibc

/// An address to listen on, in the system's form.
struct SocketAddress {
    private let storage: Storage

    private enum Storage {
        case v4(sockaddr_in)
        case v6(sockaddr_in6)
    }

    /// Creates an address; `nil` if the host is neither an address nor `localhost`.
    init?(host: String, port: UInt16) {
        let text = host == "localhost" ? "127.0.0.1" : host
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if unsafe inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            storage = .v4(v4)
        } else if unsafe inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            storage = .v6(v6)
        } else {
            return nil
        }
    }

    var family: Int32 {
        switch storage {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Binds a socket. Returns `false` if that fails, with the reason in `errno`.
    func bind(_ descriptor: Int32) -> Bool {
        func bind<Address>(_ address: Address) -> Bool {
            unsafe withUnsafeBytes(of: address) { bytes in
                let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                return unsafe Glibc.bind(descriptor, pointer, socklen_t(bytes.count)) == 0
            }
        }
        return switch storage {
        case .v4(let address): bind(address)
        case .v6(let address): bind(address)
        }
    }

    /// The port of a bound socket.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return unsafe withUnsafeMutableBytes(of: &address) { bytes in
            _ = unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            // The port is at the same offset for both families.
            return unsafe UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
