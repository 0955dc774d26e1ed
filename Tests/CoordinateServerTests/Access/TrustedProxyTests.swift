import MicroHTTPD
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The client of a request that comes through proxies.
struct TrustedProxyTests {
    /// A handler that checks whether a request's client is the one in its path.
    private struct Judge: HTTPHandler {
        let proxies: TrustedProxies

        func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
            let expected = IPAddress(request.path.dropFirst())
            return .now(
                HTTPResponse(
                    status: proxies.client(of: request) == expected ? 200 : 404,
                    body: "\(proxies.isSecure(request))"))
        }
    }

    private func answer(
        _ headers: String..., client: String, through proxies: [String], reportingIn header: ForwardingHeader = .either
    ) throws -> (status: Int, isSecure: Bool) {
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0, workers: 1),
            handler: Judge(proxies: try TrustedProxies(proxies, reportingIn: header)))
        try server.start()
        defer { server.stop(deadline: .seconds(20)) }
        let lines = (["GET /\(client) HTTP/1.1", "Host: test"] + headers).map { "\($0)\r\n" }.joined()
        let answer = try RawClient.answer(of: "http://127.0.0.1:\(server.port)", to: "\(lines)\r\n")
        return (answer.status, answer.body == "true")
    }

    @Test(arguments: ["Forwarded: for=192.0.2.1;proto=https", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"])
    func forwardingHeadersOfOthersAreIgnored(header: String) throws {
        for proxies in [[], ["10.0.0.0/8"]] {
            let answer = try answer(header, client: "127.0.0.1", through: proxies)
            #expect(answer == (200, false))
        }
    }

    @Test(arguments: [
        ("forwarded: Proto=http; For=\"192.0.2.1:4711\"", "192.0.2.1"),
        ("Forwarded: for=\"[2001:db8::17]:4711\"", "2001:db8::17"),
        ("Forwarded: for=203.0.113.9, for=192.0.2.1\r\nForwarded: for=10.0.0.1", "192.0.2.1"),
        ("Forwarded: for=10.0.0.2, for=10.0.0.1", "10.0.0.2"),
        ("Forwarded: for=192.0.2.1, for=unknown", "127.0.0.1"),
        ("Forwarded: for=192.0.2.1, for=_hidden, for=10.0.0.1", "10.0.0.1"), ("Forwarded: ", "127.0.0.1"),
        ("Forwarded: by=\"a,b;\\\"\"; for=\"192.0.2.\\1\"", "192.0.2.1"),
        ("Forwarded: for=192.0.2.1; by=\"a,b\"", "192.0.2.1"),
        ("Forwarded: for=192.0.2.1,\u{301}for=10.0.0.2", "127.0.0.1"),
        ("Forwarded: for=192.0.2.1\r\nX-Forwarded-For: 203.0.113.9", "127.0.0.1"),
        ("X-Forwarded-For: 203.0.113.9, 192.0.2.1,10.0.0.1", "192.0.2.1"),
        ("X-Forwarded-For: [2001:db8::17]:4711", "2001:db8::17"),
        ("X-Forwarded-For: 192.0.2.1, nonsense", "127.0.0.1"),
        ("X-Forwarded-For: 192.0.2.1,\u{301}10.0.0.2", "127.0.0.1"), ("X-Real-IP: 192.0.2.1", "127.0.0.1"),
    ])
    func theNearestUntrustedAddressIsTheClient(headers: String, client: String) throws {
        #expect(try answer(headers, client: client, through: ["10.0.0.0/8", "127.0.0.1"]).status == 200)
    }

    @Test(arguments: [
        ("Forwarded: for=192.0.2.1;proto=https", true), ("Forwarded: for=192.0.2.1; Proto=\"HTTPS\"", true),
        ("Forwarded: for=192.0.2.1;proto=http", false), ("X-Forwarded-Proto: https", true),
        ("X-Forwarded-Proto: HTTPS, http", true), ("X-Forwarded-Proto: http", false),
        ("Forwarded: for=192.0.2.1\r\nX-Forwarded-Proto: https", true),
    ])
    func aTrustedProxyReportsTLS(headers: String, isSecure: Bool) throws {
        #expect(try answer(headers, client: "127.0.0.1", through: ["127.0.0.1"]).isSecure == isSecure)
    }

    @Test(arguments: [
        (ForwardingHeader.forwarded, "192.0.2.1", true), (.xForwardedFor, "203.0.113.9", false),
        (.either, "127.0.0.1", true),
    ])
    func onlyTheConfiguredHeaderCounts(header: ForwardingHeader, client: String, isSecure: Bool) throws {
        let answer = try answer(
            "Forwarded: for=192.0.2.1;proto=https", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: http",
            client: client, through: ["127.0.0.1"], reportingIn: header)
        #expect(answer == (200, isSecure))
        let other = try self.answer(
            "X-Forwarded-Proto: https", client: "127.0.0.1", through: ["127.0.0.1"], reportingIn: header)
        #expect(other.isSecure == (header != .forwarded))
    }

    @Test(arguments: ["", "proxy", "10.0.0.0/33", "10.0.0.1:80", "[::1]"])
    func invalidNetworksAreRefusedAtTheStart(entry: String) throws {
        var configuration = ServerConfiguration.make()
        configuration.trustedProxies = ["10.0.0.1", entry]
        #expect {
            try Server(app: RacingApp.make(), configuration: configuration)
        } throws: { error in
            "\(error)".contains("\"\(entry)\"") && "\(error)".contains("COORDINATE_TRUSTED_PROXIES")
        }
    }
}
