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
        var configuration = ServerConfiguration.make(publicFolder: PublicFilesTests.shipped)
        configuration.host = address
        configuration.hosts = hosts
        try await withRacing(configuration: configuration, over: .socket, body)
    }

    static let own = [
        "localhost", "LocalHost", "localhost.", "localhost:80", "localhost:", "127.0.0.1", "127.0.0.1:8080", "[::1]",
        "[::1]:8080", "coordinate.example", "Coordinate.Example.:443", "[2001:db8::1]", "192.0.2.1:80",
    ]

    @Test func ownAndListedHostsAreAnswered() async throws {
        try await withHosts(["coordinate.EXAMPLE.", "2001:DB8::1", "192.0.2.1:8080"]) { server async throws in
            for host in Self.own {
                for path in ["/livez", "/", "/route"] {
                    #expect(try server.answer(to: "GET \(path)", "Host: \(host)").status == 200, "\(host)")
                }
            }
        }
    }

    static let others = [
        "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "xlocalhost", "127.0.0.2", "[::2]", "::1",
        "10.0.0.1:8080", "localhost:port", "localhost..", ".", "[::1", "[::1]x", "localhost%2e", "",
    ]

    @Test func otherHostsAreRefused() async throws {
        try await withHosts(["coordinate.example"]) { server in
            for host in Self.others {
                for line in ["GET /route", "GET /livez", "GET /readyz", "GET /", "GET /nowhere", "OPTIONS *"] {
                    let answer = try server.answer(to: line, "Host: \(host)")
                    #expect(answer.status == 421, "\(line) of \(host)")
                    #expect(answer.body.contains(#""type":"/problems/unknown-host""#))
                    #expect(answer.headers["set-cookie"] == nil)
                }
                let event = #"{"event": "splash.didFinish"}"#
                let answer = try server.answer(
                    to: "POST /events", "Host: \(host)", "Content-Type: application/json", body: event)
                #expect(answer.status == 421, "\(host)")
            }
            #expect(try await server.client().metric("coordinate_sessions") == 0)
        }
    }

    @Test func anAbsoluteTargetNamesTheHost() async throws {
        try await withHosts([]) { server async throws in
            #expect(try server.answer(to: "GET http://evil.example/livez", "Host: localhost").status == 421)
            #expect(try server.answer(to: "GET http://evil.example", "Host: localhost").status == 421)
            #expect(try server.answer(to: "GET http://localhost@evil.example/livez", "Host: localhost").status == 421)
            #expect(try server.answer(to: "GET http://LOCALHOST:80/livez", "Host: evil.example").status == 200)
        }
    }

    @Test func aClientTooOldToNameAHostIsAnswered() async throws {
        try await withHosts([]) { server in
            let answer = try RawClient.answer(of: server.url, to: "GET /readyz HTTP/1.0\r\n\r\n")
            #expect(answer.status == 200)
        }
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
