public import CoordinateSessions
internal import MicroHTTPD
internal import ProcessSupport

/// The settings of a server: where it listens, what it serves and where its limits are. Every value has a sensible
/// default.
public struct ServerConfiguration: Sendable, Equatable {
    /// The address to listen on: by default this machine only.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 for any free one.
    public var port: UInt16 = 8080
    /// The page that browsers show, with the files beside it.
    public var page = Page.shipped
    /// The key that every request must carry, except those for the probes, the login and the page; empty for none.
    public var apiKey = ""
    /// The host names under which it answers, besides `localhost`, 127.0.0.1, `[::1]` and its ``host``. A server that
    /// only this machine can reach answers under no others, so that no web page reaches it by a name of its own; one on
    /// a network answers under any, unless some are listed.
    public var hosts: [String] = []
    /// The other sites whose pages may use the server: `https://shop.example`. Browsers learn of it by CORS headers.
    public var origins: [String] = []
    /// The addresses and networks of the proxies in front of the server, `10.0.0.0/8`: the address that they report in
    /// the ``forwardingHeader`` counts as the client's. The same headers from any other address are ignored.
    public var trustedProxies: [String] = []
    /// The header that the trusted proxies set; the other one is ignored, as a client may have sent it.
    public var forwardingHeader = ForwardingHeader.either
    /// The most sessions at a time.
    public var maximumSessions = 100_000
    /// The time for which a session may be idle before it is ended, in seconds.
    public var sessionIdleTime = 1_800
    /// The time for which a session may be idle before its tree is dropped and only its events are kept, in seconds.
    /// Its clients notice nothing: the next request makes the tree again.
    public var sessionPassivationTime = 300
    /// The most events of a session. The more there are, the longer it takes to make its tree again.
    public var maximumEvents = 100_000
    /// The most pieces of work under way at a time in all sessions; more wait. In one session at most 16 are under way.
    public var maximumWork = 256
    /// The policy for a session whose replayed events do not lead where they led when they were recorded, or that has
    /// ended the process twice in a row.
    public var onChange = AppChangePolicy.quarantine
    /// The most memory that is held for clients, in bytes: their sessions, and what is on its way in and out; 0 for
    /// half of what the machine, its control group or `ulimit -v` gives the process.
    public var maximumMemory = 0
    /// The most clients connected at a time.
    public var maximumConnections = 10_000
    /// The largest body of a request, in bytes.
    public var maximumBodySize = 64 * 1024
    /// True where each request is logged to the standard error, as one line of JSON.
    public var accessLog = false
    /// The number of threads that answer requests; 0 for one per core.
    public var workers = 0

    public init() {}

    /// The files that a server serves besides its API. `/openapi.json` is one of them.
    public enum Page: Sendable, Equatable {
        /// The page of this library. It is in the folder `coordinate_CoordinateServer.resources`, which the build puts
        /// beside the program, and which has to be installed with it.
        case shipped
        /// The files of a folder, and the `openapi.json` of this library where there is none among them.
        case folder(String)
        /// No files at all.
        case none
    }

    var limits: SessionLimits {
        SessionLimits(
            maximumSessions: maximumSessions, idleTime: sessionIdleTime, passivationTime: sessionPassivationTime,
            maximumEvents: maximumEvents, maximumWork: maximumWork)
    }

    /// The least memory with which a server is of use, in bytes.
    package static let leastMemory = 16 * 1024 * 1024

    /// The part of a limited address space that the threads' stacks and their own memory take, in bytes.
    static let leastAddressSpace = 160 * 1024 * 1024

    var memoryLimit: Int {
        guard maximumMemory == 0 else { return maximumMemory }
        return max(Self.leastMemory, (ProcessMemory.limit(reserving: Self.leastAddressSpace) ?? 1 << 30) / 2)
    }

    /// The most connections: those for which a quarter of the memory is enough.
    package var connectionLimit: Int {
        min(maximumConnections, max(16, memoryLimit / 4 / HTTPServerConfiguration.connectionSize))
    }

    var http: HTTPServerConfiguration {
        HTTPServerConfiguration(
            host: host, port: port, workers: workers == 0 ? HTTPServerConfiguration.processorCount : workers,
            connectionLimit: connectionLimit, unsharedPeers: trustedProxies.compactMap(IPNetwork.init),
            maximumBodySize: maximumBodySize)
    }
}

/// The reason why a server does not start, in words for the person who started it.
public enum ServerError: Error, Equatable, CustomStringConvertible {
    /// A setting, or a file that it names, is not valid.
    case configuration(String)
    /// The address is in use, or cannot be had.
    case unavailable(String)

    public var description: String {
        switch self {
        case .configuration(let message), .unavailable(let message): message
        }
    }
}
