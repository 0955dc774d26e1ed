internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A connection that can be suspended: libmicrohttpd leaves it alone for that time.
///
/// libmicrohttpd keeps a connection as long as it is suspended, with its socket; at any other time it may be freed by
/// the next instruction, so that nothing but its own worker may touch it then. The owner of this value protects it by a
/// lock, and releases it when the request is completed at the latest.
@safe struct Suspension: @unchecked Sendable {
    // Unchecked: `raw` is used by its worker thread, and while suspended by the thread that resumes it.
    /// The connection of libmicrohttpd; nil for a request that comes from no socket.
    private let raw: OpaquePointer?
    /// The socket, valid while suspended; its number may be another's at any other time. Nil where there is none.
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

    /// Limits the unread bytes of the client that the system holds. For the worker thread alone.
    func limitUnread(to bytes: Int32) {
        guard let socket else { return }
        var bytes = bytes
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
}
