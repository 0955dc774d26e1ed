internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One connection that libmicrohttpd can be made to leave alone for a while.
///
/// libmicrohttpd keeps a connection for as long as it is suspended, with its socket; at any other time it may be gone
/// by the next instruction, so that nothing but its own worker may touch it then. Whoever holds this has a lock around
/// it, and lets go of it when the request is completed at the latest.
@safe struct Suspension: @unchecked Sendable {
    // Unchecked: `raw` is used by its worker thread, and while suspended by the thread that resumes it.
    /// Nil for a request that comes from no socket.
    private let raw: OpaquePointer?
    /// Valid while suspended; its number may be another's at any other time. Nil where there is none.
    let socket: Int32?
    let connection: Connection
    private(set) var isActive = false

    init(of request: borrowing HTTPRequest) {
        unsafe raw = unsafe request.raw
        socket = unsafe request.raw.map { unsafe cmhd_socket($0) }
        connection = request.connection
    }

    /// Takes the connection from libmicrohttpd. For its worker thread alone, within the handler's or the reader's call.
    mutating func begin() {
        precondition(!isActive)
        isActive = true
        if let raw = unsafe raw { unsafe MHD_suspend_connection(raw) } else { connection.local?.suspend() }
    }

    /// Gives the connection back. For the thread of the `WaitingRoom` alone.
    mutating func end() {
        precondition(isActive)
        isActive = false
        if let raw = unsafe raw { unsafe MHD_resume_connection(raw) } else { connection.local?.resume() }
    }

    /// Ends the connection for both sides, at any time.
    func shutDown() {
        connection.timeout.withLock { _ = $0.shutDown() }
    }

    /// Lets the system keep no more than this of what the client has not read, in bytes. For the worker thread alone.
    func limitUnread(to bytes: Int32) {
        guard let socket else { return }
        var bytes = bytes
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
}
