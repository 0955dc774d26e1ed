import Glibc
import MicroHTTPD
import Testing

/// A server with more clients than places.
struct ConnectionShareTests {
    /// Twenty places, of which one address may have fifteen. `/` is a stream, which is never idle.
    private static func make() throws -> (handler: StreamServer, server: HTTPServer) {
        try StreamServer.make(connectionLimit: 20) { server, request in
            if request.isOnReserve { return .now(HTTPResponse(status: 503)) }
            return request.path == "/" ? .now(server.stream()) : .now(HTTPResponse(status: 200, body: "idle"))
        }
    }

    private static func streams(
        _ count: Int, of server: HTTPServer, _ handler: StreamServer, from host: UInt8
    ) throws -> [RawClient] {
        try (0..<count).map { _ in
            let client = try RawClient(port: server.port, from: host)
            try client.send(.get("/"))
            try #require(handler.begun.isSignalled())
            _ = try client.answer(toHead: true)
            return client
        }
    }

    private static func status(of server: HTTPServer, from host: UInt8) throws -> RawClient.Answer {
        let client = try RawClient(port: server.port, from: host)
        try client.send(.get("/idle"))
        return try client.answer()
    }

    /// Whether a client is served within a minute. A connection must have been idle for a second to be closed for it.
    private static func isServed(by server: HTTPServer, from host: UInt8) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if let answer = try? status(of: server, from: host), answer.status == 200 { return true }
        }
        return false
    }

    /// The first answer within a minute. Silent connections are closed gradually, and until then new ones may be closed
    /// at once.
    private static func firstStatus(of server: HTTPServer, from host: UInt8) -> Int? {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if let answer = try? status(of: server, from: host) { return answer.status }
        }
        return nil
    }

    @Test func oneAddressLeavesAQuarterOfThePlacesToOthers() throws {
        let (handler, server) = try Self.make()
        let greedy = try Self.streams(15, of: server, handler, from: 1)
        let refused = try Self.status(of: server, from: 1)
        #expect(refused.status == 503)
        #expect(refused.headers["connection"] == "close")
        let others = try Self.streams(5, of: server, handler, from: 2)
        // Now all places are in use, and every new client gets a refusal.
        for host: UInt8 in [1, 2, 3, 3, 3, 3] { #expect(try Self.status(of: server, from: host).status == 503) }
        withExtendedLifetime((greedy, others)) {}
    }

    @Test func aSilentReserveConnectionIsClosedForANewOne() throws {
        let (handler, server) = try Self.make()
        let greedy = try Self.streams(15, of: server, handler, from: 1)
        let silent = try (0..<10).map { _ in try RawClient(port: server.port, from: 1) }
        #expect(Self.firstStatus(of: server, from: 1) == 503)
        #expect(Self.firstStatus(of: server, from: 2) == 200)
        withExtendedLifetime((greedy, silent)) {}
    }

    @Test func oneAddressLeavesHalfOfTheReserveToOthers() throws {
        let (handler, server) = try Self.make()
        let greedy = try Self.streams(15, of: server, handler, from: 1)
        let others = try Self.streams(5, of: server, handler, from: 3)
        // The reserve of twenty places has two.
        let patient = try RawClient(port: server.port, from: 2)
        let silent = try RawClient(port: server.port, from: 1)
        #expect(try Self.status(of: server, from: 1).status == 503)
        try patient.send(.get("/idle"))
        #expect(try patient.answer().status == 503)
        withExtendedLifetime((greedy, others, silent)) {}
    }

    @Test(arguments: [1, 2] as [UInt8])
    func idleConnectionsAreClosedForNewOnes(newcomer: UInt8) throws {
        let (handler, server) = try Self.make()
        let idle = try (0..<15).map { _ in
            let client = try RawClient(port: server.port, from: 1)
            try client.send(.get("/idle"))
            #expect(try client.answer().status == 200)
            return client
        }
        let others = try Self.streams(5, of: server, handler, from: 3)
        for _ in 0..<3 { #expect(Self.isServed(by: server, from: newcomer)) }
        // Only idle connections are closed.
        #expect(try idle.count { try $0.isClosed(within: 0) } >= 1)
        for stream in handler.streams { stream.send(.init("still here")) }
        for client in others { #expect(try client.chunk() == "still here") }
    }

    @Test func freedPlacesAreReused() throws {
        let (handler, server) = try Self.make()
        for _ in 0..<3 {
            let clients = try Self.streams(15, of: server, handler, from: 1)
            for stream in handler.streams { stream.end() }
            for client in clients { _ = try client.everything() }
            // The client sees the end of its connection before its place is free.
            let end = ContinuousClock.now + .seconds(60)
            while server.load.connections > 0, ContinuousClock.now < end { sched_yield() }
        }
        #expect(try Self.status(of: server, from: 1).status == 200)
    }
}
