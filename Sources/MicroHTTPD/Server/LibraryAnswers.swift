internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Replaces libmicrohttpd's own function for queueing an answer, so that its refusals become those of the handler.
///
/// libmicrohttpd refuses requests that it cannot parse with a page of its own; version 0.9.75 partly with two heads,
/// and with a crash while it stops. No option changes that, and no callback of any version up to 1.0 comes before it.
/// But it queues its answers with the public `MHD_queue_response`; and of two functions with one name, that of the
/// program takes precedence over that of a library, also for calls by the library (symbol interposition in ELF). So
/// libmicrohttpd calls this function, and `LibraryAnswers.queue` is the original.
///
/// Where a library is bound to its own functions, as on macOS, this is never called, and libmicrohttpd's answers stay
/// as they are.
@_cdecl("MHD_queue_response")
public func queueLibraryAnswer(_ raw: OpaquePointer?, _ status: UInt32, _ response: OpaquePointer?)
    -> UInt32
{
    guard let raw = unsafe raw, let service = LibraryAnswers.service,
        let slot = unsafe cmhd_socket_context(raw)
    else {
        return unsafe LibraryAnswers.queue(raw, status, response).rawValue
    }
    // libmicrohttpd itself refuses few complete headers: the others go through our own check.
    let isHeaderComplete = unsafe cmhd_header_size(raw) > 0
    let answer = service.refusal(insteadOf: Int(status), isHeaderComplete: isHeaderComplete).closing
    if isHeaderComplete {
        // libmicrohttpd goes on as if it had not answered, and answers again; that second answer reaches no client.
        unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
            connection.timeout.withLock { $0.end(with: answer.bytes) }
        }
    }
    let result = unsafe LibraryAnswers.queue(raw, UInt32(answer.status), answer.raw)
    // While it stops it says that it takes an answer and does not, and would be at a loss for it.
    return unsafe result == .YES && cmhd_has_answer(raw) != 0
        ? MHD_Result.YES.rawValue : MHD_Result.NO.rawValue
}

/// The access of `queueLibraryAnswer` to the original function and to the thread's service.
enum LibraryAnswers {
    typealias Queue = @convention(c) (OpaquePointer?, UInt32, OpaquePointer?) -> MHD_Result

    /// The original `MHD_queue_response` of libmicrohttpd.
    static let queue: Queue = {
        let next = unsafe UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
        guard let function = unsafe dlsym(next, "MHD_queue_response") else {
            fatalError("libmicrohttpd must be linked as a shared library")
        }
        return unsafe unsafeBitCast(function, to: Queue.self)
    }()

    /// The service of which this thread is a worker; nil where it is none.
    static var service: Service? {
        unsafe pthread_getspecific(key).map {
            unsafe Unmanaged<Service>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Sets the service of this thread. Each worker calls it before it answers a request. The service outlives its
    /// workers.
    static func thisThreadServes(_ service: Service) {
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(service).toOpaque())
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key, nil)
        precondition(result == 0, "No key is left for what belongs to a thread")
        return key
    }()
}

extension Service {
    /// The handler's response in place of libmicrohttpd's refusal with a status.
    fileprivate func refusal(insteadOf status: Int, isHeaderComplete: Bool) -> HTTPResponse {
        let reason: HTTPRefusal.Reason =
            switch status {
            case 413: .bodyTooLarge(limit: configuration.maximumBodySize)
            case 414: .targetTooLong
            case 400 where isHeaderComplete: .malformedContentLength
            case 400: .malformedHead
            case 505: .version
            // 431, and 500 where nothing is left for the body.
            default: .headerTooLarge
            }
        return refuse(HTTPRefusal(reason))
    }
}

extension HTTPResponse {
    /// The bytes of the response, as they are sent.
    fileprivate var bytes: [UInt8] {
        let reason = unsafe String(cString: MHD_get_reason_phrase_for(UInt32(status)))
        var head =
            "HTTP/1.1 \(status) \(reason)\r\nDate: \(Self.date)\r\nContent-Length: \(body.count)\r\n"
        for field in headers { head += "\(field.name.rawValue): \(field.value.rawValue)\r\n" }
        if closesConnection { head += "Connection: close\r\n" }
        return Array("\(head)\r\n".utf8) + body.bytes
    }

    /// The present time in the form of HTTP (RFC 9110, section 5.6.7).
    private static var date: String {
        var text = [CChar](repeating: 0, count: 32)
        let size = unsafe cmhd_date(&text, text.count)
        return String(decoding: text.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
