internal import Glibc

/// The settings of a server: where it listens, and its limits.
///
/// ```swift
/// var configuration = HTTPServerConfiguration()
/// configuration.port = 8080
/// configuration.maximumBodySize = 16 * 1024
/// ```
public struct HTTPServerConfiguration: Hashable, Sendable {
    /// The IPv4 or IPv6 address to listen on, or `localhost`, which is 127.0.0.1. `::` includes IPv4.
    public var host: String
    /// The port; 0 for any free one, which `HTTPServer.port` then reports.
    public var port: UInt16
    /// The number of threads that answer requests; at least 1.
    public var workers: Int
    /// The most clients connected at once, at most a million. It is lowered, with a line in the log, if the system
    /// grants fewer open files. One address (a /64 of IPv6) may have three quarters of them. Above that share and above
    /// the limit, the connection that has been idle longest is closed. If none is idle, a new connection gets one
    /// answer and then ends: its requests have `HTTPRequest.isOnReserve`.
    public var connectionLimit: Int
    /// The addresses shared by many clients, such as those of proxies. They may have all the connections.
    public var unsharedPeers: [IPNetwork]
    /// The time for which a connection may be silent, between requests or within one. Whole seconds, at least 1.
    public var idleTimeout: Duration
    /// The time that a request may take from its first byte to its last, and that each 256 KiB of a streamed body may
    /// take. After it the connection is closed without an answer. The same applies if a client reads less than 64 KiB
    /// of an answer in that time, although more is waiting for it.
    public var requestDeadline: Duration
    /// The largest body of a request, in bytes, unless the handler plans another for that request.
    public var maximumBodySize: Int
    /// The buffer of one connection, in bytes, at least 4 KiB. It must hold the request line, the header plus 64 bytes
    /// per field, the cookies again plus 64 bytes per cookie, and 2 KiB for the answer. A header that does not fit, or
    /// has more than 16 KiB, gets the status 431.
    public var connectionMemory: Int

    public init(
        host: String = "127.0.0.1",
        port: UInt16 = 8080,
        workers: Int = HTTPServerConfiguration.processorCount,
        connectionLimit: Int = 10_000,
        unsharedPeers: [IPNetwork] = [],
        idleTimeout: Duration = .seconds(30),
        requestDeadline: Duration = .seconds(10),
        maximumBodySize: Int = 64 * 1024,
        connectionMemory: Int = 48 * 1024
    ) {
        self.host = host
        self.port = port
        self.workers = workers
        self.connectionLimit = connectionLimit
        self.unsharedPeers = unsharedPeers
        self.idleTimeout = idleTimeout
        self.requestDeadline = requestDeadline
        self.maximumBodySize = maximumBodySize
        self.connectionMemory = connectionMemory
    }

    /// Whether no other machine can reach the host: `localhost`, `::1`, or one of 127.0.0.0/8.
    public var isOnLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

    /// The memory of a connection itself, in bytes, with a buffer of 48 KiB and its records.
    public static let connectionSize = 52 * 1024

    /// The number of processors that are online; at least 1.
    public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
