import CoordinateTesting
import Foundation
import Testing

/// The script of `Examples/back-office.sh`.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/jq"), "needs jq: apt-get install jq"))
struct BackOfficeTests {
    @Test func aDecisionReachesTheCustomerOnce() async throws {
        let key = "s3cret/key="
        let settings = ["COORDINATE_API_KEY": key, "COORDINATE_CLIENTS": "app"]
        try await Program.run(["serve", "--port", "0"], environment: settings) { program in
            let url = try await program.url()
            func decide(_ claim: String) async throws -> Program.Outcome {
                let script = Program.shipped.appending(path: "Examples/back-office.sh").path
                let decision = #"{"event": "teams.didSelect", "payload": {"team": "ferrari"}}"#
                return try await Program.wholeOutcome(
                    of: ["bash", script, claim, decision], of: "/usr/bin/env",
                    environment: ["SERVER": url, "KEY": key])
            }
            let keeper = SessionClient(url: url, headers: ["Authorization": "Bearer \(key)"])
            let made = try await keeper.put(
                "/sessions/by-key/claim-4711", json: ["path": "/main/teams", "attributes": ["claim": "4711"]])
            let id = try #require(try made.json["id"]?.string)
            _ = try await decide("4711")
            let (status, output, errors) = try await decide("4711")
            #expect(status == 0, "\(errors)")
            #expect(try await decide("4712").errors.contains("The claim 4712 has no session"))
            let entries = try await keeper.get("/sessions/\(id)/events").json["events"]?.array ?? []
            #expect(entries.map { $0["origin"]?.string } == ["client", "host"])
            let link = output.trimmingCharacters(in: .newlines)
            #expect(!link.contains(id))
            // Like a browser, it follows redirects and keeps cookies.
            let browser = try await Program.wholeOutcome(
                of: ["-s", "-L", "--cookie", "", "--output", "/dev/null", "--write-out", "%{url_effective}", link],
                of: "/usr/bin/curl")
            #expect(browser.output == "\(url)/app/main/teams/team/ferrari")
        }
    }
}
