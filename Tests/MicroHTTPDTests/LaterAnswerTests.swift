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
        handler.answerAll()
        try Self.expectClosed(early, afterAnswer: 201)
        try Self.expectClosed(late, afterAnswer: 201)
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

    @Test func theFirstAnswerCountsAtTheDeadline() throws {
        for round in 0..<50 {
            let (handler, server) = try StreamServer.make(workers: 2)
            let clients = try (0..<8).map { try handler.client(of: server, "/later/\($0)") }
            let thread = DispatchGroup()
            DispatchQueue(label: "lane").async(group: thread) {
                for answer in handler.answers { answer.answer(with: HTTPResponse(status: 201)) }
            }
            server.stop(deadline: .microseconds(20 * round))
            thread.wait()
            // Earlier answers may not be sent by then.
            let statuses = clients.compactMap { try? $0.answer().status }
            #expect(statuses.allSatisfy { [201, 202].contains($0) })
        }
    }
}
