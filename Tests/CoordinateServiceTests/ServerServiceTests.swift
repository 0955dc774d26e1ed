import CoordinateClient
import CoordinateServer
import CoordinateService
import Glibc
import Logging
import Racing
import ServiceLifecycle
import SessionFixtures
import Testing
import UnixSignals

/// A server among the services of a group.
struct ServerServiceTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func server(port: UInt16 = 0) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.page = .none
        return try Server(app: RacingApp.make(), configuration: configuration, logger: logger)
    }

    /// Runs a group with a server, and calls a body once requests are accepted.
    private func withGroup(
        endingOn signals: [UnixSignal] = [], _ body: (ServiceGroup, _ url: String) async throws -> Void
    ) async throws -> Result<Void, any Error> {
        let (urls, started) = AsyncStream.makeStream(of: String.self)
        let service = ServerService(try Self.server()) { started.yield($0) }
        let group = ServiceGroup(
            services: [service], gracefulShutdownSignals: signals, logger: Self.logger)
        let run = Task { try await group.run() }
        let url = try #require(await urls.first { _ in true })
        try await body(group, url)
        return await run.result
    }

    @Test func aServerRunsUntilItsGroupShutsDown() async throws {
        let result = try await withGroup { group, url in
            let client = SessionClient(url: url)
            let outcome = try await client.press("Continue")
            #expect(outcome.path == "/main/teams")
            await group.triggerGracefulShutdown()
        }
        try result.get()
    }

    @Test func aSignalShutsTheGroupDown() async throws {
        var url = ""
        let result = try await withGroup(endingOn: [.sigterm, .sigint]) { _, address in
            url = address
            let outcome = try await SessionClient(url: address).press("Continue")
            #expect(outcome.path == "/main/teams")
            kill(getpid(), SIGINT)
        }
        try result.get()
        await #expect(throws: RequestFailure.self) { _ = try await SessionClient(url: url).get("/livez") }
    }

    @Test func requestsInProgressAreAnswered() async throws {
        var answer: ServerAnswer?
        let result = try await withGroup { group, url in
            let client = SessionClient(url: url)
            let tag = try #require(try await client.get("/route").header("ETag"))
            async let waiting = client.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
            try await waitUntilTheServerHas(client, requests: 2)
            await group.triggerGracefulShutdown()
            answer = try await waiting
        }
        try result.get()
        #expect([200, 304, 503].contains(try #require(answer).status))
    }

    private func waitUntilTheServerHas(_ client: SessionClient, requests: Int) async throws {
        // The request for the metrics is one of them.
        while try await !client.get("/metrics").text.contains("coordinate_http_requests_in_flight \(requests)\n") {
            try Task.checkCancellation()
        }
    }

    @Test func cancelledServersStop() async throws {
        let (urls, started) = AsyncStream.makeStream(of: String.self)
        let service = ServerService(try Self.server()) { started.yield($0) }
        let run = Task { try await service.run() }
        let url = try #require(await urls.first { _ in true })
        run.cancel()
        try await run.value
        await #expect(throws: RequestFailure.self) { _ = try await SessionClient(url: url).get("/livez") }
    }

    @Test func aServerThatCannotStartEndsItsGroup() async throws {
        let result = try await withGroup { group, url in
            let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
            let second = ServiceGroup(
                services: [ServerService(try Self.server(port: port))], logger: Self.logger)
            await #expect(throws: ServerError.self) { try await second.run() }
            await group.triggerGracefulShutdown()
        }
        try result.get()
    }
}
