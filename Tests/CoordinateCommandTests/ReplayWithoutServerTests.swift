import Foundation
import SessionFixtures
import Testing

/// A recorded journal can be replayed with one call of `CoordinateSessions`, which does not link a server.
struct ReplayWithoutServerTests {
    private static let favourites = Program.shipped
        .appending(path: "Tests/CoordinateCommandTests/Journals/favourites.ndjson")

    private func outcome(of journal: String) async throws -> [String] {
        let outcome = try await Program.wholeOutcome(of: ["config/racing.json", journal], of: "replay-only")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func aJournalIsReplayedWithoutTheLibrariesOfAServerOrAStore() async throws {
        let lines = try await outcome(of: Self.favourites.path)
        #expect(lines.first == "/main/profile")
        let libraries = lines.dropFirst()
        #expect(libraries.contains { $0.hasPrefix("libc.so") })
        for name in ["libmicrohttpd", "libpq", "libsqlite3"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name)")
        }
    }

    @Test func theFirstDifferenceIsReported() async throws {
        let recorded = try String(contentsOf: Self.favourites, encoding: .utf8)
        let range = try #require(recorded.range(of: #""path":"/main/teams/team/ferrari""#))
        let changed = recorded.replacingCharacters(in: range, with: #""path":"/main/garage""#)
        try await withFolder(["changed.ndjson": changed]) { folder in
            let lines = try await outcome(of: folder.appending(path: "changed.ndjson").path)
            #expect(
                lines.first
                    == "Line 3: path was /main/garage when it was recorded, and is /main/teams/team/ferrari now.")
        }
    }
}
