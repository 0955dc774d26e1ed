internal import Glibc

/// A socket that is bound, listens and does not block.
struct ListeningSocket {
    /// The socket. The owner of this value closes it.
    let descriptor: Int32
    /// The port, also if any free one was requested.
    let port: UInt16

    init(host: String, port: UInt16) throws(HTTPServerError) {
        guard let address = SocketAddress(host: host, port: port) else { throw .badAddress(host: host) }
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(address.family, Int32(type), 0)
        guard descriptor >= 0 else { throw ListeningSocket.error(errno, host: host, port: port) }
        // Lets a server restart at once on its old port. It does not share a port with another listening process.
        ListeningSocket.switchOption(SO_REUSEADDR, at: SOL_SOCKET, to: 1, on: descriptor)
        if address.family == AF_INET6 {
            ListeningSocket.switchOption(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: 0, on: descriptor)
        }
        guard address.bind(descriptor), listen(descriptor, SOMAXCONN) == 0 else {
            let error = ListeningSocket.error(errno, host: host, port: port)
            close(descriptor)
            throw error
        }
        self.port = SocketAddress.port(of: descriptor)
    }

    private static func switchOption(_ option: Int32, at level: Int32, to value: Int32, on descriptor: Int32) {
        var value = value
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func error(_ code: Int32, host: String, port: UInt16) -> HTTPServerError {
        switch code {
        case EADDRINUSE: .addressInUse(host: host, port: port)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .addressNotAvailable(host: host)
        case EACCES, EPERM: .permissionDenied(host: host, port: port)
        case EMFILE, ENFILE: .notEnoughFiles(granted: FileLimit.granted)
        default: .system(call: "listening on \(host), port \(port)", reason: unsafe String(cString: strerror(code)))
        }
    }
}
