internal import CMicroHTTPD
internal import CProcess

/// The callbacks of libmicrohttpd, on its worker threads. No Swift error crosses into C.
///
/// The service and the connection are lent without being retained: a reference count that all workers change would
/// travel between their caches with each request. The `Daemon` and the `ConnectionRegistry` keep them alive.
extension Service {
    /// Called with the request line. Its connection goes along with the request from here.
    static func requestLine(
        _ context: UnsafeMutableRawPointer?,
        _ target: UnsafePointer<CChar>?,
        _ raw: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        guard let slot = unsafe cmhd_socket_context(raw), let target = unsafe target else { return nil }
        unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
            if let query = unsafe connection.readTarget(target) {
                // The parser takes it for empty, then: it does not overwrite the query, nor needs memory for each item.
                // Short of that, 0.9.75 never answers.
                unsafe UnsafeMutablePointer(mutating: target)[query] = 0
            }
            connection.advance(to: .receiving)
            connection.record?.begin()
        }
        return unsafe slot
    }

    /// Called with the header, with each part of the body, and with the whole request.
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
        cprocess_begin_call()
        defer { cprocess_end_call() }
        return unsafe Unmanaged<Service>.fromOpaque(context)._withUnsafeGuaranteedRef { service in
            unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
                if unsafe partSize.pointee > 0 {
                    unsafe service.collect(
                        UnsafeRawBufferPointer(start: part, count: partSize.pointee), on: connection)
                    unsafe partSize.pointee = 0
                    return .YES
                }
                guard case .fresh = connection.stage else {
                    let request = unsafe HTTPRequest(method: method, raw: raw, target: target, connection: connection)
                    return service.answer(request) ? .YES : .NO
                }
                let header = unsafe HeaderValidation.read(
                    raw, method: method, target: target, version: version, connection: connection,
                    singles: service.singles, memory: service.configuration.connectionMemory)
                if header.isPlain {
                    connection.stage = .collecting
                    return .YES
                }
                let request = unsafe HTTPRequest(method: method, raw: raw, target: target, connection: connection)
                return service.begin(request, header: header) ? .YES : .NO
            }
        }
    }

    /// Called when the answer is sent, or the connection broke.
    static func requestCompleted(
        _ context: UnsafeMutableRawPointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        guard let context = unsafe context, let slot = unsafe slot?.pointee else { return }
        unsafe Unmanaged<Connection>.fromOpaque(slot)._withUnsafeGuaranteedRef { connection in
            if let exchange = connection.record?.end(from: connection.peer) {
                unsafe Unmanaged<Service>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.onExchange?(exchange) }
            }
            connection.reset()
        }
    }

    /// Called when a client wants to connect.
    static func accepts(_ context: UnsafeMutableRawPointer?) -> MHD_Result {
        guard let context = unsafe context else { return .NO }
        return unsafe Unmanaged<Service>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.registry.isOpen ? .YES : .NO
        }
    }

    /// Called when a client has connected, and when its socket is about to be closed.
    static func connectionChanged(
        _ context: UnsafeMutableRawPointer?,
        _ raw: OpaquePointer?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ change: MHD_ConnectionNotificationCode
    ) {
        guard let context = unsafe context, let slot = unsafe slot else { return }
        let service = unsafe Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
        switch change {
        case .CONNECTION_NOTIFY_STARTED:
            let connection = unsafe Connection(
                socket: cmhd_socket(raw), worker: cprocess_thread(), isObserved: service.onExchange != nil)
            LibraryAnswers.thisThreadServes(service)
            service.registry.insert(connection)
            unsafe slot.pointee = Unmanaged.passUnretained(connection).toOpaque()
        case .CONNECTION_NOTIFY_CLOSED:
            guard let last = unsafe slot.pointee else { return }
            unsafe slot.pointee = nil
            service.registry.remove(unsafe Unmanaged<Connection>.fromOpaque(last).takeUnretainedValue())
        @unknown default:
            break
        }
    }

    /// Leaves every escape as it is.
    static func unescape(_ text: UnsafeMutablePointer<CChar>?) -> Int {
        guard let text = unsafe text else { return 0 }
        return unsafe strlen(text)
    }

    static func log(_ context: UnsafeMutableRawPointer?, _ line: UnsafePointer<CChar>?) {
        guard let context = unsafe context, let line = unsafe line else { return }
        var text = unsafe UnsafeRawBufferPointer(start: line, count: strlen(line))
        while unsafe text.last == 0x0A { unsafe text = UnsafeRawBufferPointer(rebasing: text.dropLast()) }
        unsafe Unmanaged<Service>.fromOpaque(context).takeUnretainedValue().onLog(String(decoding: text, as: UTF8.self))
    }
}
