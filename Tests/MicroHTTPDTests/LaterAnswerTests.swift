import Dispatch
import MicroHTTPD
import Testing

/// Later answers, for which work is done elsewhere. `ParkedAnswerTests` has the tests that also hold for parked ones.
struct LaterAnswerTests {
    /// A server that is stopping on another thread.
    private struct Stop {
        private let thread = DispatchGroup()

        init(_ server: HTTPServer, deadline: Duration) {
            DispatchQueue(label: "stop").async(group: thread) { server.stop(deadline: deadline) }
        }

        func isDone(within seconds: Double) -> Bool { thread.wait(timeout: .now() + seconds) == .success }
    }

    private static func expectClosed(_ client: RawClient, afterAnswer status: Int) throws {
        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(answer.headers["connection"] == "close")
        #expect(try client.everything().isEmpty)
    }

    @Test(arguments: [1, 3])
    func stoppingWaitsForEarlierAndLaterRequests(workers: Int) throws {
        let (handler, server) = try StreamServer.make(workers: workers)
        let early = try handler.client(of: server, "/later/early")
        let parked = try handler.client(of: server, "/parked/early")
        let follower = try handler.client(of: server)
        let stop = Stop(server, deadline: .seconds(30))
        // This shows that the server has begun to stop.
        try Self.expectClosed(parked, afterAnswer: 202)
        #expect(handler.expired.isSignalled())
        let late = try handler.client(of: server, "/later/late")
        let tooLate = try RawClient(port: server.port)
        try tooLate.send(.get("/parked/late"))
        try Self.expectClosed(tooLate, afterAnswer: 202)
        #expect(!stop.isDone(within: 0))
        #expect(handler.answers.map(\.isOver) == [false, false])
        #expect(follower.stream.send(.init("done")))
        handler.answerAll()
        try Self.expectClosed(early, afterAnswer: 201)
        try Self.expectClosed(late, afterAnswer: 201)
        #expect(try follower.client.chunks() == "done")
        #expect(stop.isDone(within: 30))
        // A worker that has not begun to stop lets the last request wait, and then ends it.
        #expect(workers > 1 || !handler.expired.isSignalledByNow())
    }

    @Test(arguments: [1, 3], [Duration.zero, .milliseconds(50)])
    func fallbacksAnswerAtTheDeadline(workers: Int, deadline: Duration) throws {
        let (handler, server) = try StreamServer.make(workers: workers)
        let clients = try (0..<20).map { try handler.client(of: server, "/later/\($0)") }
        let answers = handler.answers
        server.stop(deadline: deadline)
        #expect(answers.filter(\.isOver).count == 20)
        #expect(handler.waitingCount == 0)
        #expect(answers.filter { $0.answer(with: HTTPResponse(status: 200)) }.isEmpty)
        for client in clients { try Self.expectClosed(client, afterAnswer: 202) }
    }

    @Test func anUnreadFallbackDoesNotDelayStopping() throws {
        let begun = DispatchSemaphore(value: 0)
        let (_, server) = try StreamServer.make { _, _ in
            Way.later.answer(
                otherwise: { HTTPResponse(status: 202, body: HTTPBody([UInt8](repeating: 0, count: 50_000_000))) },
                begin: { _ in begun.signal() })
        }
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        #expect(begun.isSignalled())
        #expect(Stop(server, deadline: .zero).isDone(within: 30))
        withExtendedLifetime(client) {}
    }
}
