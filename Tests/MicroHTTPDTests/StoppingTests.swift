import Dispatch
import MicroHTTPD
import Synchronization
import Testing

/// A server that stops while clients are waiting. libmicrohttpd would end the process if the server missed one.
struct StoppingTests {
    private static func parked(_ begun: DispatchSemaphore, _ answers: AnswerBox) -> StreamServer.Answer {
        { _, _ in
            Way.parked.answer(
                otherwise: { HTTPResponse(status: 202, body: "stopping") },
                begin: { answer in
                    answers.keep(answer)
                    begun.signal()
                })
        }
    }

    @Test(arguments: [1, 3])
    func streamsEndAfterTheirQueuedPieces(workers: Int) throws {
        let (handler, server) = try StreamServer.make(workers: workers)
        let clients = try (0..<20).map { _ in try handler.client(of: server).client }
        for stream in handler.streams { stream.send(.init("event: end\n\n")) }
        server.stop(deadline: .seconds(30))
        for client in clients { #expect(try client.chunks() == "event: end\n\n") }
        #expect(handler.endCount == 20)
        #expect(handler.streams.map(\.isOver) == Array(repeating: true, count: 20))
    }

    @Test func stoppingDoesNotWaitForIncompleteRequests() throws {
        let (handler, server) = try StreamServer.make(workers: 1)
        let clients = try [
            "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n12",
        ].map {
            let client = try RawClient(port: server.port)
            try client.send($0)
            return client
        }
        // A later request is answered before the server stops, so these have begun.
        let stream = try handler.client(of: server)
        let start = ContinuousClock.now
        server.stop(deadline: .seconds(30))
        #expect(start.duration(to: .now) < .seconds(15))
        withExtendedLifetime((clients, stream)) {}
    }

    @Test(arguments: [1, 3])
    func streamsReportAnswersGivenWhileStopping(workers: Int) throws {
        let begun = DispatchSemaphore(value: 0)
        let answers = AnswerBox()
        let (handler, server) = try StreamServer.make(workers: workers) { handler, request in
            switch request.path {
            case "/": .now(handler.stream())
            case "/later":
                Way.later.answer { answer in
                    answers.keep(answer)
                    begun.signal()
                }
            default: Self.parked(begun, answers)(handler, request)
            }
        }
        let follower = try handler.client(of: server)
        let writer = try RawClient(port: server.port)
        try writer.send(.get("/later"))
        #expect(begun.isSignalled())
        let waiter = try RawClient(port: server.port)
        try waiter.send(.get("/parked"))
        #expect(begun.isSignalled())
        let stopped = DispatchGroup()
        DispatchQueue.global().async(group: stopped) { server.stop(deadline: .seconds(30)) }
        // This shows that the server has begun to stop.
        #expect(try waiter.answer().status == 202)
        #expect(follower.stream.send(.init("done")))
        answers.answerAll()
        #expect(try writer.answer().status == 200)
        #expect(try follower.client.chunks() == "done")
        stopped.wait()
    }

    @Test func aClientThatDoesNotReadIsDroppedAtTheDeadline() throws {
        let (handler, server) = try StreamServer.make()
        let slow = try handler.client(of: server)
        slow.stream.send(.init([UInt8](repeating: 0, count: 50_000_000)))
        let quick = try handler.client(of: server)
        quick.stream.send(.init("bye"))
        #expect(try quick.client.chunk() == "bye")
        server.stop(deadline: .seconds(2))
        #expect(try quick.client.chunks().isEmpty)
        #expect(handler.endCount == 2)
    }

    @Test func aZeroDeadlineDisconnectsEveryClient() throws {
        let begun = DispatchSemaphore(value: 0)
        let answers = AnswerBox()
        for _ in 0..<10 {
            let (handler, server) = try StreamServer.make { handler, request in
                request.path == "/" ? .now(handler.stream()) : Self.parked(begun, answers)(handler, request)
            }
            let clients = try (0..<5).map { _ in try handler.client(of: server).client }
            let waiting = try (0..<5).map { _ in try RawClient(port: server.port) }
            for client in waiting { try client.send(.get("/parked")) }
            #expect(begun.isSignalled(times: 5))
            server.stop(deadline: .zero)
            #expect(handler.endCount == 5)
            for client in clients + waiting { _ = try? client.everything() }
        }
    }

    @Test(arguments: [Duration.zero, .milliseconds(50), .seconds(5)])
    func newRequestsDoNotDelayStopping(deadline: Duration) throws {
        let begun = DispatchSemaphore(value: 0)
        let answers = AnswerBox()
        let lane = DispatchQueue(label: "lane")
        for _ in 0..<5 {
            let (handler, server) = try StreamServer.make { handler, request in
                switch request.path {
                case "/later":
                    Way.later.answer { answer in
                        lane.async { answer.answer(with: handler.stream([.init("later")])) }
                    }
                case "/": .now(handler.stream([.init("now")]))
                default: Self.parked(begun, answers)(handler, request)
                }
            }
            let port = server.port
            let ended = Atomic(false)
            let threads = DispatchGroup()
            for path in ["/", "/later", "/parked"] {
                DispatchQueue.global().async(group: threads) {
                    while !ended.load(ordering: .relaxed) {
                        guard let client = try? RawClient(port: port) else { continue }
                        try? client.send(.get(path))
                        if path == "/parked" { answers.answerAll() }
                        // Leaves streams open.
                        _ = try? client.answer(toHead: true)
                    }
                }
            }
            #expect(handler.begun.isSignalled(times: 10))
            server.stop(deadline: deadline)
            ended.store(true, ordering: .relaxed)
            threads.wait()
            lane.sync {}
            #expect(handler.ended.isSignalled(times: handler.streams.count))
            #expect(handler.endCount == handler.streams.count)
        }
    }
}

/// Parked answers kept by a test.
final class AnswerBox: Sendable {
    private let answers = Mutex<[HeldAnswer]>([])

    var all: [HeldAnswer] { answers.withLock { $0 } }

    func keep(_ answer: HeldAnswer) {
        answers.withLock { $0.append(answer) }
    }

    func answerAll() {
        for answer in all { answer.answer(with: HTTPResponse(status: 200, body: "answered")) }
    }
}
