import CoordinateTesting
import Foundation
import PostgreSQLCluster
import Testing

/// The script of `Examples/back-office.sh`, with two servers on one store, one of which is killed.
@Suite(
    .enabled(
        if: PostgreSQLCluster.isAvailable && FileManager.default.isExecutableFile(atPath: "/usr/bin/jq"),
        "These tests need PostgreSQL and jq: apt-get install postgresql jq"))
struct BackOfficeTests {
    private static let key = "s3cret/key="
    private static let decision = #"{"event": "teams.didSelect", "payload": {"team": "ferrari"}}"#

    private func start(_ journal: String) throws -> Program {
        let environment = ["COORDINATE_API_KEY": Self.key, "COORDINATE_CLIENTS": "app"]
        return try Program.start(["serve", "--port", "0", "--journal", journal], environment: environment)
    }

    /// Runs the script for a claim.
    private func decide(at server: String, claim: String = "4711") async throws
        -> (status: Int32, output: String, errors: String)
    {
        try await Program.wholeOutcome(
            of: ["bash", Program.shipped.appending(path: "Examples/back-office.sh").path, claim, Self.decision],
            of: "/usr/bin/env",
            environment: ["SERVER": server, "KEY": Self.key])
    }

    @Test func aDecisionReachesTheCustomerThoughAServerIsKilled() async throws {
        let cluster = try await PostgreSQLCluster()
        let journal = try await cluster.makeAddress()
        let (first, second) = (try start(journal), try start(journal))
        defer { for server in [first, second] { server.kill(SIGKILL) } }
        let (one, other) = (try await first.url(), try await second.url())
        let bearer = ["Authorization": "Bearer \(Self.key)"]
        let keeper = SessionClient(url: other, headers: bearer)
        let made = try await keeper.put(
            "/sessions/by-key/claim-4711", json: ["path": "/main/teams", "attributes": ["claim": "4711"]])
        #expect(made.status == 201)
        let id = try #require(try made.json["id"]?.string)
        #expect(
            try await SessionClient(url: one, headers: bearer).get("/sessions/by-key/claim-4711").json["id"]
                == .string(id))

        async let decided = decide(at: one)
        async let repeated = decide(at: other)
        first.kill(SIGKILL)
        // The server may have been killed before, between or after its requests.
        _ = try await (decided, repeated)
        let (status, output, errors) = try await decide(at: other)
        #expect(status == 0, "\(errors)")
        let unknown = try await decide(at: other, claim: "4712")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("The claim 4712 has no session"))
        let entries = try await keeper.get("/sessions/\(id)/events").json["events"]?.array ?? []
        #expect(entries.map { $0["origin"]?.string } == ["client", "host"])

        let link = output.trimmingCharacters(in: .newlines)
        #expect(!link.contains(id))
        // Like a browser, it follows redirects and keeps cookies.
        let browser = try await Program.wholeOutcome(
            of: [
                "--silent", "--location", "--cookie", "", "--output", "/dev/null", "--write-out", "%{url_effective}",
                link,
            ],
            of: "/usr/bin/curl")
        #expect(browser.output == "\(other)/app/main/teams/team/ferrari")
    }
}
