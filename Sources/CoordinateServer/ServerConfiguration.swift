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
    /// The key that every request but the probes must carry; empty for none.
    public var apiKey = ""
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
    /// What becomes of a session whose events do not lead where they led when they were recorded.
    public var onChange = AppChangePolicy.quarantine
    /// The most clients connected at a time.
    public var maximumConnections = 10_000
    /// The largest body of a request, in bytes.
    public var maximumBodySize = 64 * 1024
    /// Whether each request is told on the standard error, in one line of JSON.
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

    var http: HTTPServerConfiguration {
        HTTPServerConfiguration(
            host: host, port: port, workers: workers == 0 ? HTTPServerConfiguration.processorCount : workers,
            connectionLimit: maximumConnections, maximumBodySize: maximumBodySize)
    }
}
