import Dispatch
import MicroHTTPD
import Synchronization
import Testing

/// A server that stops while clients are waiting. libmicrohttpd would end the process if the server missed one.
struct StoppingTests {
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
        let (handler, server) = try StreamServer.make(workers: 1, requestDeadline: .seconds(60))
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

    @Test(arguments: [Duration.zero, .milliseconds(50), .seconds(5)])
    func newRequestsDoNotDelayStopping(deadline: Duration) throws {
        let lane = DispatchQueue(label: "lane")
        for _ in 0..<5 {
            let (handler, server) = try StreamServer.make { handler, request in
                guard request.path == "/late" else { return .now(handler.stream([.init("now")])) }
                return Way.later.answer { answer in
                    lane.async { answer.answer(with: handler.stream([.init("later")])) }
                }
            }
            let port = server.port
            let ended = Atomic(false)
            let threads = DispatchGroup()
            for path in ["/", "/late", "/parked"] {
                DispatchQueue.global().async(group: threads) {
                    while !ended.load(ordering: .relaxed) {
                        guard let client = try? RawClient(port: port) else { continue }
                        try? client.send(.get(path))
                        if path == "/parked" { handler.answerAll() }
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
