internal import Glibc

/// The settings of a server: where it listens, and its limits.
///
/// ```swift
/// var configuration = HTTPServerConfiguration()
/// configuration.port = 8080
/// configuration.maximumBodySize = 16 * 1024
/// ```
public struct HTTPServerConfiguration: Hashable, Sendable {
    /// The IPv4 or IPv6 address to listen on, or `localhost`, which is 127.0.0.1. `::` listens on IPv4, too.
    public var host: String
    /// The port; 0 for any free one, which is then in `HTTPServer.port`.
    public var port: UInt16
    /// The number of threads that answer requests; at least 1.
    public var workers: Int
    /// The most clients connected at once; lowered, with a line in the log, where the system grants fewer open files.
    /// At most a million. One address (of IPv6 a /64) may have three quarters of them. Above that share, and above the
    /// limit, the connection that was idle for longest makes way; where none is idle, a new one gets one answer, and
    /// ends after it: its requests have `HTTPRequest.isOnReserve`.
    public var connectionLimit: Int
    /// The addresses that many clients share, such as those of proxies: they may have all the connections.
    public var unsharedPeers: [IPNetwork]
    /// The time for which a connection may be silent, between requests or within one; whole seconds, at least 1.
    public var idleTimeout: Duration
    /// The time that a request may take from its first byte to its last, and that each 256 KiB of a streamed body may
    /// take. After it the connection is closed, without an answer. The same holds where a client reads less than 64 KiB
    /// of an answer in that time, although more is waiting for it.
    public var requestDeadline: Duration
    /// The largest body of a request, in bytes, unless the handler plans another for that request.
    public var maximumBodySize: Int
    /// The buffer of one connection, in bytes, at least 4 KiB. It has to hold the request line, the header with 64
    /// bytes for each field, the cookies once more with 64 bytes for each, and 2 KiB for the answer. A larger header
    /// gets the status 431.
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
        connectionMemory: Int = 16 * 1024
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

    /// True for a host that no other machine can reach: `localhost`, `::1`, or one of 127.0.0.0/8.
    public var isOnLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

    /// The memory that a connection takes by itself, in bytes: with a buffer of 16 KiB, and its records.
    public static let connectionSize = 20 * 1024

    /// The number of processors that are online; at least 1.
    public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
