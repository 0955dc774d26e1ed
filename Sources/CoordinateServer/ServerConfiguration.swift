public import CoordinateSessions
internal import MicroHTTPD
internal import ProcessSupport

/// The settings of a server: where it listens, what it serves, and its limits. Every setting has a default.
public struct ServerConfiguration: Sendable {
    /// The address to listen on. By default only this machine can connect.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 for any free one.
    public var port: UInt16 = 8080
    /// The page that browsers show, with the files beside it.
    public var page = Page.shipped
    /// The key that every request must carry, except those for the probes, the login and the page; empty for none.
    public var apiKey = ""
    /// The clients that are let in without the key; `nil` for all of them if there is no key, and for none otherwise.
    public var clients: ClientAccess?
    /// What the server serves besides sessions: web pages, tools for agents, the map, and the host's own routes below
    /// `/x/`.
    public var endpoints: [HostEndpoint] = []
    /// The host names to which the server answers, in addition to `localhost`, 127.0.0.1, `[::1]` and its ``host``. A
    /// server that only this machine can reach answers to no other names, so that a web page cannot reach it by a name
    /// of its own. A server on a network answers to any name, unless some are listed.
    public var hosts: [String] = []
    /// The other sites whose pages may use the server, such as `https://shop.example`. Browsers learn this from CORS
    /// headers.
    public var origins: [String] = []
    /// The addresses and networks of the proxies in front of the server, such as `10.0.0.0/8`. The address that they
    /// report in the ``forwardingHeader`` counts as the client's. The same headers from any other address are ignored.
    public var trustedProxies: [String] = []
    /// The header that the trusted proxies set. The other one is ignored, because a client may have sent it.
    public var forwardingHeader = ForwardingHeader.either
    /// The name of the session's cookie, in place of `session`, and the first part of the login's, `NAME-login`, in
    /// place of `coordinate-login`. Both names end with the port that the request names. Empty for the defaults. Two
    /// servers that browsers reach under the same host and port need two names.
    public var cookieName = ""
    /// The most sessions at a time.
    public var maximumSessions = 100_000
    /// The time for which a session may be idle before it is ended, in seconds.
    public var sessionIdleTime = 1_800
    /// The time for which a session may be idle before it is passivated, in seconds: its tree is dropped and only its
    /// events are kept. Its clients do not notice. The next request rebuilds the tree.
    public var sessionPassivationTime = 300
    /// The most events of a session. More events take longer to replay.
    public var maximumEvents = 100_000
    /// The most background tasks running at a time in all sessions; others wait. One session runs at most 16.
    public var maximumWork = 256
    /// The policy for a session whose replay differs from what was recorded, or that has crashed the process twice in a
    /// row.
    public var onChange = AppChangePolicy.quarantine
    /// The most memory held for clients, in bytes: their sessions, requests and responses. 0 means half of what the
    /// machine, its control group or `ulimit -v` gives the process.
    public var maximumMemory = 0
    /// The most clients connected at a time.
    public var maximumConnections = 10_000
    /// The largest body of a request, in bytes.
    public var maximumBodySize = 64 * 1024
    /// Whether each request is logged to the standard error, as one line of JSON.
    public var accessLog = false
    /// The file to which each committed event is logged, as one line of JSON; `-` for the standard output, empty for
    /// none.
    public var eventLog = ""
    /// The number of threads that answer requests; 0 for one per core.
    public var workers = 0

    public init() {}

    /// The files that a server serves besides its API. `/openapi.json` is one of them.
    public enum Page: Sendable, Equatable {
        /// The page of this library. It is in the folder `coordinate_CoordinateServer.resources`, which the build
        /// creates beside the program. Install it with the program.
        case shipped
        /// The files of a folder, beside the page of this library. If the folder has an `index.html`, it replaces that
        /// page; only `openapi.json` is then added, unless the folder has one.
        case folder(String)
        /// No files at all.
        case none
    }

    var limits: SessionLimits {
        SessionLimits(
            maximumSessions: maximumSessions, idleTime: sessionIdleTime, passivationTime: sessionPassivationTime,
            maximumEvents: maximumEvents, maximumWork: maximumWork)
    }

    /// The least memory with which a server is useful, in bytes.
    package static let leastMemory = 16 * 1024 * 1024

    /// The part of a limited address space that the threads' stacks and memory arenas need, in bytes.
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

/// The reason why a server does not start, for the person who started it.
public enum ServerError: Error, Equatable, CustomStringConvertible {
    /// A setting, or a file that it names, is not valid.
    case configuration(String)
    /// The address is in use or not available.
    case unavailable(String)

    public var description: String {
        switch self {
        case .configuration(let message), .unavailable(let message): message
        }
    }
}
