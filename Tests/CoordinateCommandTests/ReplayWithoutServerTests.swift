import Testing

/// A recorded journal can be replayed with one call of `CoordinateSessions`, which does not link a server.
struct ReplayWithoutServerTests {
    @Test func aJournalIsReplayedWithoutTheLibrariesOfAServerOrAStore() async throws {
        let journal = "Tests/CoordinateCommandTests/Journals/favourites.ndjson"
        let outcome = try await Program.wholeOutcome(of: ["config/racing.json", journal], of: "replay-only")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "/main/profile")
        let libraries = lines.dropFirst()
        #expect(libraries.contains { $0.hasPrefix("libc.so") })
        for name in ["libmicrohttpd", "libpq", "libsqlite3"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name)")
        }
    }
}
