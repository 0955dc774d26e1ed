internal import CEventLoop
internal import CMicroHTTPD
internal import Glibc

/// The callbacks of libmicrohttpd, on the worker's thread. No Swift error crosses into C.
///
/// The loop and the connections are lent without being retained: the thread holds the loop, and the loop holds its
/// connections.
extension EventLoop {
    /// Called with the request line. From here on, the connection accompanies the request.
    static func requestLine(
        _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ raw: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        guard
            let context = unsafe context, let raw = unsafe raw, let slot = unsafe cmhd_socket_context(raw),
            let target = unsafe target
        else { return nil }
        let now = cloop_nanoseconds()
        unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.worker.recordProgress(at: now) }
        unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
            unsafe connection.readTarget(target)
            connection.begin()
            connection.record?.begin(at: now)
            guard HeaderValidation.parserIsLax, connection.hasTooManyQueryItems else { return }
            // libmicrohttpd has no memory for so many items, and then sends no answer.
            guard let reason = unsafe connection.findPath(in: target) else { return }
            // The method is not known here, and does not matter to a refusal.
            let request = unsafe HTTPRequest(method: "GET", raw: raw, target: target, connection: connection)
            unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef {
                connection.end(with: $0.service.refuse(HTTPRefusal(reason), of: request))
            }
        }
        return unsafe slot
    }

    /// Called with the header, with each part of the body, and with the complete request.
    static func requestPart(
        _ context: UnsafeMutableRawPointer?,
        _ raw: OpaquePointer?,
        _ target: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?,
        _ version: UnsafePointer<CChar>?,
        _ part: UnsafePointer<CChar>?,
        _ partSize: UnsafeMutablePointer<Int>?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard
            let context = unsafe context, let raw = unsafe raw, let target = unsafe target,
            let method = unsafe method, let version = unsafe version, let partSize = unsafe partSize,
            let slot = unsafe slot?.pointee
        else { return .NO }
        return unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { loop in
            unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
                if unsafe partSize.pointee > 0 {
                    unsafe loop.service.collect(
                        UnsafeRawBufferPointer(start: part, count: partSize.pointee), on: connection)
                    unsafe partSize.pointee = 0
                    return .YES
                }
                loop.worker.recordCurrent(connection.id)
                defer { loop.worker.recordCurrent(0) }
                guard case .fresh = connection.stage else {
                    let request = unsafe HTTPRequest(method: method, raw: raw, target: target, connection: connection)
                    return loop.service.answer(request, in: loop) ? .YES : .NO
                }
                let header = unsafe HeaderValidation.read(
                    raw, method: method, target: target, version: version, connection: connection,
                    singles: loop.service.singles, memory: loop.service.configuration.connectionMemory)
                if header.isPlain {
                    connection.stage = .collecting
                    return .YES
                }
                let request = unsafe HTTPRequest(method: method, raw: raw, target: target, connection: connection)
                return loop.service.begin(request, header: header, in: loop) ? .YES : .NO
            }
        }
    }

    /// Called when the answer is sent or the connection is broken.
    static func requestCompleted(
        _ context: UnsafeMutableRawPointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        guard let context = unsafe context, let slot = unsafe slot?.pointee else { return }
        unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
            if let exchange = connection.record?.end(from: connection.peer) {
                unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.service.onExchange?(exchange)
                }
            }
            connection.reset()
        }
    }

    /// Called when a connection begins, and when its socket is about to be closed.
    static func connectionChanged(
        _ context: UnsafeMutableRawPointer?,
        _ raw: OpaquePointer?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ change: MHD_ConnectionNotificationCode
    ) {
        guard let context = unsafe context, let raw = unsafe raw, let slot = unsafe slot else { return }
        unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { loop in
            switch change {
            case .CONNECTION_NOTIFY_STARTED:
                guard let connection = unsafe loop.begin(raw) else { return }
                unsafe slot.pointee = Unmanaged.passUnretained(connection).toOpaque()
            case .CONNECTION_NOTIFY_CLOSED:
                guard let last = unsafe slot.pointee else { return }
                unsafe slot.pointee = nil
                loop.end(unsafe Unmanaged<Connection>.fromOpaque(last).takeUnretainedValue())
            @unknown default:
                break
            }
        }
    }

    /// Leaves escapes unchanged.
    static func unescape(_ text: UnsafeMutablePointer<CChar>?) -> Int {
        guard let text = unsafe text else { return 0 }
        return unsafe strlen(text)
    }

    static func log(_ context: UnsafeMutableRawPointer?, _ line: UnsafePointer<CChar>?) {
        guard let context = unsafe context, let line = unsafe line else { return }
        var text = unsafe UnsafeRawBufferPointer(start: line, count: strlen(line))
        while unsafe text.last == 0x0A { unsafe text = UnsafeRawBufferPointer(rebasing: text.dropLast()) }
        let message = unsafe String(decoding: text, as: UTF8.self)
        unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { loop in
            if HeaderValidation.parserIsLax {
                if message.contains("Content-Length") {
                    let isNumber = message.contains("Too large")
                    let limit = loop.service.configuration.maximumBodySize
                    loop.answerRefusedHeader(isNumber ? .bodyTooLarge(limit: limit) : .malformedContentLength)
                }
                if message.contains("Not enough memory") { loop.answerRefusedHeader(.headerTooLarge) }
            }
            loop.service.onLog(message)
        }
    }
}
