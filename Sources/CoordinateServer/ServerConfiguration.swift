public import CoordinateSessions
internal import MicroHTTPD

/// Where a server listens, what it serves and where it stops. Every value has a sensible default.
public struct ServerConfiguration: Sendable, Equatable {
    /// The address to listen on: by default this machine only.
    public var host = "127.0.0.1"
    /// 0 takes a free port.
    public var port: UInt16 = 8080
    /// The page that browsers are shown, with the files beside it.
    public var page = Page.shipped
    /// The key that every request must carry, but for the probes, the login and the page; empty for none.
    public var apiKey = ""
    /// The names that it is asked by, besides `localhost`, 127.0.0.1, `[::1]` and its ``host``. A server on this machine
    /// alone answers to no others, so that no web page reaches it by a name of its own; one on a network to any, unless
    /// some are listed.
    public var hosts: [String] = []
    /// The other sites whose pages may use it: `https://shop.example`. Their browsers are told so (CORS).
    public var origins: [String] = []
    /// The addresses and networks of the proxies before the server, `10.0.0.0/8`: whom they pass on, by `Forwarded` or
    /// `X-Forwarded-For`, is taken for the client. Others may say in these headers what they like.
    public var trustedProxies: [String] = []
    /// The most sessions at a time.
    public var maximumSessions = 100_000
    /// How long a session may be idle before it is ended, in seconds.
    public var sessionIdleTime = 1_800
    /// How long a session may be idle before its tree is dropped and only its events are kept, in seconds. Its clients
    /// notice nothing: the next request makes the tree again.
    public var sessionPassivationTime = 300
    /// The most events of a session. More make for a longer wait when its tree is made again.
    public var maximumEvents = 100_000
    /// The most pieces of work under way at a time, of all sessions; more wait. Of one session it is 16.
    public var maximumWork = 256
    /// What becomes of a session whose events do not lead where they led when they were recorded, or that has ended the
    /// process twice running.
    public var onChange = AppChangePolicy.quarantine
    /// The most memory that is held for clients, in bytes: their sessions, and what is on its way in and out; 0 for half of
    /// what the machine, its control group or `ulimit -v` gives the process.
    public var maximumMemory = 0
    /// The most clients connected at a time.
    public var maximumConnections = 10_000
    /// The largest body of a request, in bytes.
    public var maximumBodySize = 64 * 1024
    /// True to have each request told on the standard error, in one line of JSON.
    public var accessLog = false
    /// The threads that answer requests; 0 for one a core.
    public var workers = 0

    public init() {}

    /// The files that a server has besides its API. `/openapi.json` is one of them.
    public enum Page: Sendable, Equatable {
        /// The page of this library. It is in the folder `coordinate_CoordinateServer.resources`, which the build puts
        /// beside the program, and which goes wherever the program goes.
        case shipped
        /// The files of a folder, and the description of this library where there is no `openapi.json` among them.
        case folder(String)
        /// No files at all.
        case none
    }

    var limits: SessionLimits {
        SessionLimits(
            maximumSessions: maximumSessions, idleTime: sessionIdleTime, passivationTime: sessionPassivationTime,
            maximumEvents: maximumEvents, maximumWork: maximumWork)
    }

    /// The least that a server can do something with, in bytes.
    package static let leastMemory = 16 * 1024 * 1024

    /// The part of a limited address space that the threads' stacks and their own memory take, in bytes.
    static let leastAddressSpace = 160 * 1024 * 1024

    var memoryLimit: Int {
        guard maximumMemory == 0 else { return maximumMemory }
        // A connection has a buffer and some more.
        let reserve = maximumConnections * 20 * 1024 + Self.leastAddressSpace
        return max(Self.leastMemory, (ProcessMemory.limit(reserving: reserve) ?? 1 << 30) / 2)
    }

    var http: HTTPServerConfiguration {
        HTTPServerConfiguration(
            host: host, port: port, workers: workers == 0 ? HTTPServerConfiguration.processorCount : workers,
            connectionLimit: maximumConnections, unsharedPeers: trustedProxies.compactMap(IPNetwork.init),
            maximumBodySize: maximumBodySize)
    }
}

/// Why a server does not start, in words for the person who started it.
public enum ServerError: Error, Equatable, CustomStringConvertible {
    /// A setting, or a file it names, does not fit.
    case configuration(String)
    /// The address is taken, or not to be had.
    case unavailable(String)

    public var description: String {
        switch self {
        case .configuration(let message), .unavailable(let message): message
        }
    }
}
