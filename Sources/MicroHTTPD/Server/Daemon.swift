internal import CMicroHTTPD

/// A running libmicrohttpd daemon, which stops when this value is destroyed.
@safe struct Daemon: ~Copyable {
    private let raw: OpaquePointer
    private let settings: UnsafeMutablePointer<CMHDSettings>
    /// The context of the callbacks. libmicrohttpd does not retain it.
    private let service: Service

    /// Starts a daemon. It becomes the owner of the socket, whether it starts or not.
    init(
        listeningOn socket: ListeningSocket,
        connectionLimit: Int,
        service: Service
    ) throws(HTTPServerError) {
        let configuration = service.configuration
        let settings = UnsafeMutablePointer<CMHDSettings>.allocate(capacity: 1)
        unsafe settings.initialize(
            to: CMHDSettings(
                workers: UInt32(clamping: configuration.workers),
                connection_limit: UInt32(clamping: connectionLimit),
                idle_timeout: UInt32(clamping: max(1, configuration.idleTimeout.components.seconds)),
                connection_memory: configuration.connectionMemory,
                listening_socket: socket.descriptor,
                context: Unmanaged.passUnretained(service).toOpaque(),
                accepts: { context, _, _ in unsafe Service.accepts(context) },
                request_part: { unsafe Service.requestPart($0, $1, $2, $3, $4, $5, $6, $7) },
                request_line: { unsafe Service.requestLine($0, $1, $2) },
                unescape: { unsafe Service.unescape($2) },
                request_completed: { context, _, slot, _ in unsafe Service.requestCompleted(context, slot) },
                connection_changed: { unsafe Service.connectionChanged($0, $1, $2, $3) },
                log: { unsafe Service.log($0, $1) }))
        guard let raw = unsafe cmhd_start(settings) else {
            unsafe settings.deallocate()
            throw .daemon
        }
        unsafe self.raw = raw
        unsafe self.settings = unsafe settings
        self.service = service
    }

    /// Joins the worker threads, so it must not run on one of them.
    deinit {
        unsafe MHD_stop_daemon(raw)
        unsafe settings.deallocate()
    }
}
