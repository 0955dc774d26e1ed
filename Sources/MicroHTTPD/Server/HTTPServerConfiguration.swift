internal import Glibc

/// Where a server listens and what it puts up with.
///
/// ```swift
/// var configuration = HTTPServerConfiguration()
/// configuration.port = 8080
/// configuration.maximumBodySize = 16 * 1024
/// ```
public struct HTTPServerConfiguration: Hashable, Sendable {
    /// An IPv4 or IPv6 address, or `localhost`, which is 127.0.0.1. `::` listens on IPv4 too.
    public var host: String
    /// 0 takes a free port; `HTTPServer.port` tells which.
    public var port: UInt16
    /// The threads that answer requests; at least 1.
    public var workers: Int
    /// How many clients may be connected at once; it is lowered, with a line in the log, where the system grants fewer open
    /// files. At most a million. One address (of IPv6 a /64) may have three quarters of them. Past that, and past the limit,
    /// the connection that was idle for longest makes way; where none is, newcomers get an answer that ends the connection,
    /// and are known by `HTTPRequest.isOnReserve`.
    public var connectionLimit: Int
    /// Addresses that many clients come from, as those of proxies: they may have all the connections.
    public var unsharedPeers: [IPNetwork]
    /// How long a connection may be silent, between requests or within one; whole seconds, at least 1.
    public var idleTimeout: Duration
    /// How long a request may take from its first byte to its last, and each 256 KiB of a body that is streamed. Past it
    /// the connection is closed, without an answer. So it is where a client takes less than 64 KiB of an answer in that
    /// time, though more is waiting for it.
    public var requestDeadline: Duration
    /// The largest body of a request, in bytes, unless the handler says otherwise for that request.
    public var maximumBodySize: Int
    /// The buffer of one connection, in bytes, at least 4 KiB: the request line, the header and 64 bytes for each of its
    /// fields must fit in, the cookies once more with 64 bytes for each, and 2 KiB beside them. What is larger is 431.
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

    /// The processors that are online; at least 1.
    public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
