import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The host names to which a server answers.
struct HostTests {
    private nonisolated(nonsending) func withHosts(
        _ hosts: [String], listeningOn address: String = "127.0.0.1",
        _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make()
        configuration.host = address
        configuration.hosts = hosts
        try await withRacing(configuration: configuration, over: .socket, body)
    }

    /// The fuzz target `headers` checks the hosts of a server that lists none.
    @Test func onlyOwnAndListedHostsAreAnswered() async throws {
        try await withHosts(["coordinate.EXAMPLE.", "2001:DB8::1", "192.0.2.1:8080"]) { server in
            for host in [
                "LocalHost.:80", "127.0.0.1:8080", "[::1]:8080", "Coordinate.Example.:443", "[2001:db8::1]",
                "192.0.2.1:80",
            ] {
                #expect(try server.answer(to: "GET /livez", "Host: \(host)").status == 200, "\(host)")
            }
            for host in [
                "evil.example", "localhost.evil.example", "xlocalhost", "127.0.0.2", "::1", "localhost:port",
                "localhost..", "[::1", "[::1]x", "localhost%2e", "",
            ] {
                for line in ["GET /route", "OPTIONS *"] {
                    let answer = try server.answer(to: line, "Host: \(host)")
                    #expect(answer.status == 421, "\(line) of \(host)")
                    #expect(answer.body.contains(#""type":"/problems/unknown-host""#))
                    #expect(answer.headers["set-cookie"] == nil)
                }
            }
            #expect(try await server.client().metric("coordinate_sessions") == 0)
        }
    }

    @Test(.racing(over: .socket)) func anAbsoluteTargetNamesTheHost() async throws {
        #expect(try server.answer(to: "GET http://evil.example/livez", "Host: localhost").status == 421)
        #expect(try server.answer(to: "GET http://evil.example", "Host: localhost").status == 421)
        #expect(try server.answer(to: "GET http://localhost@evil.example/livez", "Host: localhost").status == 421)
        #expect(try server.answer(to: "GET http://LOCALHOST:80/livez", "Host: evil.example").status == 200)
    }

    @Test func theListeningAddressIsAValidHost() async throws {
        try await withHosts([], listeningOn: "127.0.0.53") { server async throws in
            #expect(try await server.client().get("/livez").status == 200)
        }
    }

    @Test func aNetworkServerAnswersToAnyHostUnlessSomeAreListed() async throws {
        try await withHosts([], listeningOn: "0.0.0.0") { server async throws in
            for host in ["evil.example", "10.0.0.1:8080"] {
                #expect(try server.answer(to: "GET /livez", "Host: \(host)").status == 200)
            }
        }
        try await withHosts(["coordinate.example"], listeningOn: "0.0.0.0") { server async throws in
            for (host, status) in [("coordinate.example", 200), ("localhost", 200), ("evil.example", 421)] {
                #expect(try server.answer(to: "GET /livez", "Host: \(host)").status == status)
            }
        }
    }

    @Test(arguments: ["http://coordinate.example", "coordinate.example/", "*.example", "", "a b", "[::1", "x:y"])
    func invalidHostsAreRefusedAtTheStart(entry: String) throws {
        var configuration = ServerConfiguration.make()
        configuration.hosts = ["coordinate.example", entry]
        #expect {
            try Server(app: RacingApp.make(), configuration: configuration)
        } throws: { error in
            "\(error)".contains("\"\(entry)\"") && "\(error)".contains("COORDINATE_HOSTS")
        }
    }
}
