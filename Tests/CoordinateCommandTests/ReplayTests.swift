import CoordinateSessions
import Foundation
import Racing
import Testing

/// `coordinate-server replay`: regression tests made of recorded journals, those in `Journals/` first of all.
struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Journals")

    @Test(arguments: [
        ("comparison", "/main/drivers"), ("deep-links", "/main/teams"), ("favourites", "/main/profile"),
        ("walk", "/main/teams/driver/colapinto"),
    ])
    func aRecordedJournalGoesAsItWent(name: String, path: String) async throws {
        let file = Self.folder.appending(path: "\(name).ndjson")
        let outcome = try await Program.outcome(of: ["replay", file.path])
        #expect(outcome.errors == "")
        #expect(outcome.output == path)
        #expect(outcome.status == 0)
        let season = try JSONDecoder().decode(
            Season.self, from: Data(contentsOf: Program.shipped.appending(path: "config/racing.json")))
        #expect(try RacingApp(season: season).replay(try Data(contentsOf: file)) == path)
    }

    @Test func everyRecordedJournalIsReplayed() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.sorted() == ["comparison.ndjson", "deep-links.ndjson", "favourites.ndjson", "walk.ndjson"])
    }

    /// What is changed in the journal of favourites, the line that is wrong then, and what is said of it.
    static let changes = [
        (#""path":"/main/teams/team/ferrari""#, #""path":"/main/teams/team/haas""#, 3, "/main/teams/team/haas"),
        (#""handledBy":"AppCoordinator""#, #""handledBy":"AppCoordinator/MainCoordinator""#, 2, "handledBy"),
        (#""handledBy":"AppCoordinator""#, #""handledBy":null"#, 2, "nobody"),
        (#""event":"teams.didSelect""#, #""event":"teams.wasSelected""#, 3, "teams.didSelect"),
        (#""team":"ferrari""#, #""team":"lotus""#, 3, "team"),
        (#""app":"Racing""#, #""app":"Notes""#, 1, "Notes"),
        (#""version":2"#, #""version":3"#, 3, "version"),
        (#"{"version":4"#, "", 5, "JSON"),
    ]

    @Test(arguments: changes)
    func theFirstLineThatGoesAnotherWayIsNamed(old: String, new: String, line: Int, word: String) async throws {
        let recorded = try String(contentsOf: Self.folder.appending(path: "favourites.ndjson"), encoding: .utf8)
        let range = try #require(recorded.range(of: old))
        try await withFolder(["changed.ndjson": recorded.replacingCharacters(in: range, with: new)]) { folder in
            let outcome = try await Program.outcome(of: ["replay", folder.appending(path: "changed.ndjson").path])
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("Line \(line): "), "\(outcome.errors)")
            #expect(outcome.errors.contains(word), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func aJournalOfAnotherSeasonDoesNotFit() async throws {
        let season = """
            {"profile": {"name": "Ada"}, "teams": [{"id": "haas", "name": "Haas", "drivers": ["ocon", "bearman"]}],
             "drivers": [{"id": "ocon", "name": "Esteban Ocon"}, {"id": "bearman", "name": "Oliver Bearman"}]}
            """
        try await withFolder(["season.json": season]) { folder in
            let outcome = try await Program.outcome(of: [
                "replay", Self.folder.appending(path: "favourites.ndjson").path, "--app-data",
                folder.appending(path: "season.json").path,
            ])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Line 3: "))
        }
    }

    @Test(arguments: [
        (["replay"], 64), (["replay", "nowhere.ndjson"], 78), (["replay", "config"], 78),
        (["replay", "config/server.json", "--port", "0"], 64),
        (["replay", "config/server.json", "--app-data", "nowhere.json"], 78),
        (["replay", "config/server.json", "--config", "nowhere.json"], 78),
    ])
    func aFileThatIsNotThereIsRefused(arguments: [String], status: Int) async throws {
        let outcome = try await Program.outcome(of: arguments)
        #expect(outcome.status == Int32(status))
        #expect(outcome.output == "")
        #expect(!outcome.errors.isEmpty)
    }
}
