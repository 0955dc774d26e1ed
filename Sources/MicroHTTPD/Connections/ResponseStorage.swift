internal import CMicroHTTPD
internal import Synchronization

/// The content that all copies of a response share, and libmicrohttpd's form of it once it was sent.
@safe final class ResponseStorage: @unchecked Sendable {
    // Unchecked: only `made` changes, once. libmicrohttpd protects its reference count with a lock.

    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// The body; empty for a stream.
    let body: HTTPBody
    let stream: StreamHead?
    let closesConnection: Bool
    /// The response of libmicrohttpd; `nil` before it is first sent.
    private let made = unsafe Atomic<OpaquePointer?>(nil)

    init(
        status: HTTPResponse.Status, headers: HTTPFields, body: HTTPBody, stream: StreamHead? = nil,
        closesConnection: Bool
    ) {
        precondition((200...599).contains(status.code), "\(status.code) is not a valid response status")
        self.status = status
        self.headers = headers
        self.body = body
        self.stream = stream
        self.closesConnection = closesConnection
    }

    deinit {
        if let raw = unsafe made.load(ordering: .relaxed) { unsafe MHD_destroy_response(raw) }
    }

    /// The response of libmicrohttpd, created when it is first needed.
    var raw: OpaquePointer {
        if let raw = unsafe made.load(ordering: .acquiring) { return unsafe raw }
        let raw = unsafe make()
        let (isFirst, other) = unsafe made.compareExchange(
            expected: nil, desired: raw, ordering: .acquiringAndReleasing)
        guard !isFirst, let other = unsafe other else { return unsafe raw }
        unsafe MHD_destroy_response(raw)
        return unsafe other
    }

    private func make() -> OpaquePointer {
        let isOfUnknownLength = status == 304 && body.count == 0
        guard let raw = unsafe stream.map({ unsafe make($0.stream) }) ?? (isOfUnknownLength ? bodiless() : make(body))
        else { fatalError("Out of memory for a response") }
        for field in headers {
            precondition(!field.name.isFraming, "the server sets \(field.name) itself")
            // Lends the texts, so that only libmicrohttpd copies them.
            unsafe field.name.rawName.withCString { name in
                unsafe field.value.withCString { value in
                    _ = unsafe MHD_add_response_header(raw, name, value)
                }
            }
        }
        if closesConnection { _ = unsafe MHD_add_response_header(raw, "Connection", "close") }
        return unsafe raw
    }

    /// Creates a response with a body. libmicrohttpd does not copy the body, and releases it when it no longer needs
    /// it.
    private func make(_ body: HTTPBody) -> OpaquePointer? {
        unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            body.count, body.start,
            { owner in
                guard let owner = unsafe owner else { return }
                unsafe Unmanaged<HTTPBody>.fromOpaque(owner).release()
            },
            Unmanaged.passRetained(body).toOpaque())
    }

    /// Creates a response with a stream. libmicrohttpd retains the stream as long as the response.
    private func make(_ stream: HTTPStream) -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(stream).toOpaque()
        return unsafe MHD_create_response_from_callback(
            cmhd_size_unknown, Self.streamBlockSize,
            { context, _, buffer, size in unsafe ResponseStorage.read(context, buffer, size) }, context,
            { context in
                if let context = unsafe context { unsafe Unmanaged<HTTPStream>.fromOpaque(context).release() }
            })
    }

    /// Creates a response without a body and its length (RFC 9110, section 8.6).
    private func bodiless() -> OpaquePointer? {
        let raw = unsafe MHD_create_response_from_callback(
            cmhd_size_unknown, Self.streamBlockSize, { _, _, _, _ in cmhd_end_of_stream }, nil, nil)
        if let raw = unsafe raw { unsafe cmhd_leave_unchunked(raw) }
        return unsafe raw
    }

    /// The bytes sent to an HTTP/1.0 client at a time. For others, the connection's memory is the limit.
    private static let streamBlockSize = 1024

    private static func read(
        _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int {
        guard let context = unsafe context else { return cmhd_end_with_error }
        return unsafe Unmanaged<HTTPStream>.fromOpaque(context)._withUnsafeGuaranteedRef {
            unsafe $0.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }
    }
}

/// A stream as the body of a response. It ends if that response was never sent.
final class StreamHead: Sendable {
    let stream: HTTPStream

    init(_ stream: HTTPStream) {
        self.stream = stream
    }

    deinit {
        stream.responseIsGone()
    }
}
