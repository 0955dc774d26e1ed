internal import CMicroHTTPD
internal import Synchronization

/// The processing of each request, call by call: header, body, answer. All workers share it.
///
/// An answer queued in the first call makes libmicrohttpd close the connection. So requests are answered in the last
/// call, when the body is complete. A refusal of a request whose end is unknown is queued in the first call for that
/// very reason.
///
/// An answer that takes long suspends its connection.
final class Service: Sendable {
    let configuration: HTTPServerConfiguration
    let onLog: @Sendable (String) -> Void
    let singles: SingleHeaders
    /// The function that receives the record of each request; `nil` if no records are kept.
    let onExchange: (@Sendable (HTTPExchange) -> Void)?

    private let handler: any HTTPHandler
    let memory: HTTPMemory
    private let draining = Atomic(false)

    init(
        configuration: HTTPServerConfiguration,
        handler: any HTTPHandler,
        memory: HTTPMemory,
        onLog: @escaping @Sendable (String) -> Void,
        onExchange: (@Sendable (HTTPExchange) -> Void)?
    ) {
        self.configuration = configuration
        self.handler = handler
        self.memory = memory
        self.onLog = onLog
        singles = SingleHeaders(handler.singleHeaders)
        self.onExchange = onExchange
    }

    deinit {
        singles.deallocate()
    }

    /// The handler's response to a request that it does not receive.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { handler.refuse(refusal) }

    /// The handler's response to a request of which the target is known.
    func refuse(_ refusal: HTTPRefusal, of request: borrowing HTTPRequest) -> HTTPResponse {
        let response = handler.refuse(refusal, of: request)
        return request.connection.answerConversion.map { $0(response) } ?? response
    }

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// From now on, makes each answer end its connection.
    func drain() {
        draining.store(true, ordering: .relaxed)
    }

    /// Handles the first call, with the header, unless the header is plain. Returns whether libmicrohttpd should
    /// continue.
    func begin(_ request: borrowing HTTPRequest, header: HeaderValidation, in loop: EventLoop) -> Bool {
        let connection = request.connection
        let length = header.contentLength ?? 0
        if header.isChunked { connection.chunks = ChunkedBody(limit: configuration.maximumBodySize) }
        if let reason = header.reason {
            let refusal = HTTPRefusal(reason)
            guard refusal.isFramingKnown && hasWelcomeBody(request, length) else {
                connection.advance(to: .answering)
                return queue(handler.refuse(refusal, of: request), on: request, in: loop)
            }
            connection.stage = .discarding(handler.refuse(refusal, of: request).closing)
            return true
        }
        if header.repeated != 0 { connection.repeatedHeaders = singles.names(of: header.repeated) }
        return plan(request, bodySize: length, in: loop)
    }

    /// Plans the body of a well-formed request. Returns whether libmicrohttpd should continue.
    func plan(_ request: borrowing HTTPRequest, bodySize length: Int, in loop: EventLoop?) -> Bool {
        let connection = request.connection
        guard length > 0 || connection.chunks != nil else {
            connection.stage = .collecting
            return true
        }
        let limit: Int
        switch handler.bodyPlan(for: request) {
        case .collect(let own):
            limit = own ?? configuration.maximumBodySize
            connection.stage = .collecting
        case .stream(let receiver, let own):
            limit = own
            connection.stage = .streaming(receiver)
        case .refuse(let response):
            guard hasWelcomeBody(request, length) else {
                connection.advance(to: .answering)
                return queue(response.closing, on: request, in: loop)
            }
            connection.stage = .discarding(response)
            return true
        }
        connection.chunks?.limit = limit
        guard length <= limit else {
            connection.advance(to: .answering)
            return queue(handler.refuse(HTTPRefusal(.bodyTooLarge(limit: limit)), of: request), on: request, in: loop)
        }
        guard case .collecting = connection.stage else { return true }
        if length > Self.smallBodySize, let bodies = memory.bodies {
            guard !bodies.isUsedUp else {
                connection.advance(to: .answering)
                return queue(handler.refuse(HTTPRefusal(.noMemory), of: request), on: request, in: loop)
            }
            connection.hold(length, of: bodies)
        }
        connection.reserve(length)
        return true
    }

    /// Whether to read the body of a refused request before the refusal. A client that waits for `100 Continue` gets the
    /// refusal instead.
    private func hasWelcomeBody(_ request: borrowing HTTPRequest, _ length: Int) -> Bool {
        (length > 0 || request.connection.chunks != nil)
            && length <= configuration.maximumBodySize && !request.hasHeader(.expect)
    }

    /// The largest body that is not charged, in bytes. Charging it would take longer than the rest.
    private static let smallBodySize = 4 * 1024

    /// Handles a call with a part of the body.
    func collect(_ part: UnsafeRawBufferPointer, on connection: Connection) {
        if connection.chunks != nil, !admitChunk(of: part.count, on: connection) { return }
        switch connection.stage {
        case .collecting: unsafe connection.collect(part)
        case .streaming(let receiver): connection.stream(unsafe Array(part), to: receiver)
        case .fresh, .parked, .answered, .sending, .discarding, .abandoned: break
        }
    }

    /// Counts a part of a body whose length was not known before.
    ///
    /// - Returns: Whether the part is kept. Otherwise the rest of the body is discarded.
    private func admitChunk(of size: Int, on connection: Connection) -> Bool {
        connection.chunks?.count += size
        guard let chunks = connection.chunks else { return true }
        if chunks.count - chunks.limit > ChunkedBody.longestDiscarded { connection.shutDown() }
        if chunks.refusal != nil { return false }
        if case .discarding = connection.stage { return false }
        var reason: HTTPRefusal.Reason?
        if chunks.count > chunks.limit { reason = .bodyTooLarge(limit: chunks.limit) }
        if case .collecting = connection.stage, chunks.count > max(Self.smallBodySize, connection.heldSize),
            let bodies = memory.bodies
        {
            if bodies.isUsedUp { reason = reason ?? .noMemory }
            if reason == nil { connection.hold(chunks.count, of: bodies) }
        }
        guard let reason else { return true }
        connection.body = []
        // Releases the receiver of a streamed body.
        connection.stage = .collecting
        connection.chunks?.refusal = reason
        return false
    }

    /// Handles the last call, when the request is complete. Returns `false` if the connection must be closed.
    ///
    /// - Parameter loop: The loop that serves the request; `nil` for a request without a socket.
    func answer(_ request: borrowing HTTPRequest, in loop: EventLoop?) -> Bool {
        request.connection.advance(to: .answering)
        if let reason = request.connection.chunks?.refusal {
            return queue(handler.refuse(HTTPRefusal(reason), of: request).closing, on: request, in: loop)
        }
        switch request.connection.stage {
        case .fresh, .parked, .sending, .abandoned:
            return false
        case .collecting, .streaming:
            switch handler.respond(to: request) {
            case .now(let response): return queue(ended(response, request), on: request, in: loop)
            case .async(let time, let isWork, let otherwise, let respond):
                return begin(request, in: loop, isWork: isWork, atMost: time, otherwise: otherwise, respond: respond)
            }
        case .answered(let response), .discarding(let response):
            return queue(ended(response, request), on: request, in: loop)
        }
    }

    private func ended(_ response: HTTPResponse, _ request: borrowing HTTPRequest) -> HTTPResponse {
        // A proxy may find another end of a body in chunks. What follows is not read as a request.
        isDraining || request.isOnReserve || request.connection.chunks != nil ? response.closing : response
    }

    /// Begins an `async` function that responds to a request. The connection is suspended only if the function waits.
    private func begin(
        _ request: borrowing HTTPRequest,
        in loop: EventLoop?,
        isWork: Bool,
        atMost time: Duration,
        otherwise: @escaping @Sendable () -> HTTPResponse,
        respond: nonisolated(nonsending) @escaping @Sendable () async -> HTTPResponse
    ) -> Bool {
        let connection = request.connection
        let phase = loop?.phase ?? .open
        guard phase == .open || isWork && phase < .closed else {
            return queue(otherwise().closing, on: request, in: loop)
        }
        let waiter: PendingAnswer.Waiter
        if let loop {
            waiter = .worker(loop.worker, connection.id)
        } else if let local = connection.local {
            waiter = .local(local)
        } else {
            return false
        }
        let answer = PendingAnswer(
            to: waiter, bodySize: connection.body.count, isWorkedOn: isWork, otherwise: otherwise,
            quota: memory.waiting)
        let run: @Sendable () async -> Void = { _ = answer.answer(with: await respond()) }
        let executor = connection.local?.executor
        let task =
            executor.map { Task(executorPreference: $0, operation: run) }
            ?? Task.immediate(executorPreference: loop?.worker, operation: run)
        if let response = answer.takeOrWait(for: task) { return queue(ended(response, request), on: request, in: loop) }
        let time = min(max(time, .zero), HTTPAnswer.longestWait)
        connection.stage = .parked(answer)
        if let loop {
            loop.suspend(connection)
            loop.enter(connection, at: .now + time)
        } else {
            connection.local?.park(answer, atMost: time)
        }
        return true
    }

    /// Charges a large body until the client has read it.
    private func chargeUnread(_ body: HTTPBody, of request: borrowing HTTPRequest, in loop: EventLoop) {
        let groups = [HTTPReaders.Group.address(handler.address(of: request).holder.number)]
        let reader = WholeResponseReader(of: body, on: request.connection, in: loop.worker, groups, memory)
        request.connection.reader = reader
        reader.begin()
    }

    private func queue(_ plain: HTTPResponse, on request: borrowing HTTPRequest, in loop: EventLoop?) -> Bool {
        let headers = request.connection.answerHeaders
        let converted = request.connection.answerConversion.map { $0(plain) } ?? plain
        let response = headers.isEmpty ? converted : converted.adding(headers)
        guard let raw = unsafe request.raw, let loop else {
            request.connection.stage = .answered(response)
            return true
        }
        if let stream = response.stream {
            guard stream.attach(to: request.connection, in: loop) else {
                onLog("A stream was returned as the answer to a second request. The second connection was closed.")
                return false
            }
            request.connection.stage = .sending(stream)
            if request.method == .head { response.leaveUnchunked() }
        }
        if response.body.count >= HTTPReaders.step, response.status != 304 {
            chargeUnread(response.body, of: request, in: loop)
        }
        request.connection.record?.add(response, method: request.method, to: handler.address(of: request))
        request.connection.advance(to: .sending)
        return unsafe MHD_queue_response(raw, UInt32(response.status.code), response.raw) == .YES
    }
}
