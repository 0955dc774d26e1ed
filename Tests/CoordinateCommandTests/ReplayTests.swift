import CoordinateSessions
import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `coordinate-server replay`: regression tests from recorded journals, mainly those in `Journals/`.
struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Journals")

    @Test(arguments: [
        ("comparison", "/main/drivers"), ("deep-links", "/main/teams"), ("favourites", "/main/profile"),
        ("walk", "/main/teams/driver/colapinto"),
    ])
    func aRecordedJournalReplaysAsRecorded(name: String, path: String) async throws {
        let file = Self.folder.appending(path: "\(name).ndjson")
        let outcome = try await Program.wholeOutcome(of: ["replay", file.path])
        #expect(outcome.errors == "")
        #expect(outcome.output == path + "\n")
        #expect(outcome.status == 0)
        #expect(try RacingApp.make().replay(try Data(contentsOf: file)) == path)
    }

    @Test func everyRecordedJournalIsReplayed() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(
            names.sorted() == [
                "comparison.ndjson", "deep-links.ndjson", "favourites.ndjson", "live-results.ndjson", "walk.ndjson",
            ])
    }

    /// A change in the journal of favorites, the line that is wrong then, and its report.
    static let changes = [
        (#""path":"/main/teams/team/ferrari""#, #""path":"/main/teams/team/haas""#, 3, "/main/teams/team/haas"),
        (#""handledBy":"AppCoordinator""#, #""handledBy":"AppCoordinator/MainCoordinator""#, 2, "handledBy"),
        (#""handledBy":"AppCoordinator""#, #""handledBy":null"#, 2, "handledBy"),
        (#""event":"teams.didSelect""#, #""event":"teams.wasSelected""#, 3, "teams.didSelect"),
        (#""team":"ferrari""#, #""team":"lotus""#, 3, "team"),
        (#""app":"Racing""#, #""app":"Notes""#, 1, "Notes"),
        (#""version":2"#, #""version":3"#, 3, "version"),
        (#"{"version":4"#, "", 5, "JSON"),
    ]

    @Test(arguments: changes)
    func theFirstDifferingLineIsNamed(old: String, new: String, line: Int, word: String) async throws {
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

    // MARK: Several journals

    private static let difference =
        "path was /main/<\u{1}&\"team's\"> when it was recorded, and is /main/teams/team/ferrari now."

    /// The results of ``withJournals(_:)``, and a part of each reason.
    private static let results: [(result: String, reason: String?)] = [
        ("ok", nil), ("differs", difference), ("unreadable", "is no exported journal. Line 1: it is not valid JSON"),
        ("unreadable", "cannot be read"),
    ]

    /// A folder with a journal that replays, one that differs, an empty one and a folder, with names that need escapes in
    /// XML. There are other files as well.
    private nonisolated(nonsending) func withJournals(
        _ body: nonisolated(nonsending) (_ folder: URL, _ journals: [String]) async throws -> Void
    ) async throws {
        let recorded = try String(contentsOf: Self.folder.appending(path: "favourites.ndjson"), encoding: .utf8)
        let changed = recorded.replacing(
            #""path":"/main/teams/team/ferrari""#, with: #""path":"/main/<\u0001&\"team's\">""#, maxReplacements: 1)
        let names = (0...3).map { "\($0) <a & \"b\">.ndjson" }
        let files = [names[0]: recorded, names[1]: changed, names[2]: "", "notes.txt": "none", "ndjson": "none"]
        try await withFolder(files) { folder in
            let inner = folder.appending(path: "inner/journal.ndjson")
            for url in [inner, folder.appending(path: names[3])] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
            try await body(folder, names.map { folder.appending(path: $0).path })
        }
    }

    /// Replays the folder of ``withJournals(_:)``. In every format, the standard error names each journal that differs.
    private func replay(_ folder: URL, _ journals: [String], _ options: String...) async throws -> String {
        let outcome = try await Program.wholeOutcome(of: ["replay", folder.path] + options)
        #expect(outcome.status == 78)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.errors)")
        for (line, (journal, expected)) in zip(lines, zip(journals, Self.results).dropFirst()) {
            #expect(line.contains(journal))
            #expect(line.contains(try #require(expected.reason)))
            #expect(line.contains(": Line 3: ") == (expected.result == "differs"))
        }
        return outcome.output
    }

    @Test func severalJournalsGiveOneLineEachAndASummary() async throws {
        try await withJournals { folder, journals in
            let output = try await replay(folder, journals)
            #expect(
                output == """
                    ok          \(journals[0])  /main/profile
                    differs     \(journals[1])  line 3
                    unreadable  \(journals[2])
                    unreadable  \(journals[3])
                    4 journals: 1 ok, 1 differs, 2 unreadable

                    """)
        }
    }

    @Test func severalJournalsGiveOneDocument() async throws {
        try await withJournals { folder, journals in
            let output = try await replay(folder, journals, "--format", "json")
            let report = try JSONDecoder().decode(JSON.self, from: Data(output.utf8))
            #expect(report["replay"] == 1)
            #expect(report["app"] == "Racing")
            #expect([report["ok"], report["differs"], report["unreadable"]] == [1, 1, 2])
            let results = report["journals"]?.array ?? []
            #expect(results.map { $0["journal"]?.string } == journals)
            #expect(results.map { $0["result"]?.string } == Self.results.map(\.result))
            #expect(results.map { $0["path"] } == ["/main/profile", .null, .null, .null])
            #expect(results.map { $0["line"] } == [.null, 3, .null, .null])
            #expect(results.map { $0["events"]?.int ?? -1 > 2 } == [true, false, false, false])
            for (result, (_, reason)) in zip(results, Self.results) {
                #expect(result["reason"]?.string?.contains(reason ?? "") == reason.map { _ in true })
            }
        }
    }

    @Test func severalJournalsGiveTestCases() async throws {
        try await withJournals { folder, journals in
            let output = try await replay(folder, journals, "--format", "junit")
            let report = try XMLDocument(data: Data(output.utf8))
            let suite = try #require(try report.nodes(forXPath: "/testsuites/testsuite").first as? XMLElement)
            for (name, value) in [("name", "Racing"), ("tests", "4"), ("failures", "1"), ("errors", "2")] {
                #expect(suite.attribute(forName: name)?.stringValue == value)
            }
            let cases = suite.elements(forName: "testcase")
            #expect(cases.map { $0.attribute(forName: "name")?.stringValue } == journals)
            for (test, (result, reason)) in zip(cases, Self.results) {
                #expect(Double(test.attribute(forName: "time")?.stringValue ?? "") != nil)
                let problem = test.children?.compactMap { $0 as? XMLElement }.first
                #expect(problem?.name == ["differs": "failure", "unreadable": "error"][result])
                // XML cannot contain that character.
                let said = reason?.replacing("\u{1}", with: "\u{FFFD}") ?? ""
                #expect(problem?.attribute(forName: "message")?.stringValue?.contains(said) ?? true)
                #expect(problem?.stringValue?.contains(said) ?? true)
            }
        }
    }

    @Test func filesAndFoldersAreReplayedInOrder() async throws {
        try await withJournals { folder, journals in
            let file = Self.folder.appending(path: "walk.ndjson").path
            let paths = [file, journals[1], journals[0]]
            let outcome = try await Program.wholeOutcome(of: ["replay"] + paths)
            #expect(outcome.status == 1)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 4)
            for (line, path) in zip(lines, paths) { #expect(line.contains("  \(path)  ")) }
            let both = try await Program.wholeOutcome(of: ["replay", folder.path + "/", file])
            #expect(both.output.contains("\(file)  /main/teams/driver/colapinto\n5 journals: 2 ok"))
        }
    }

    @Test(arguments: ["json", "junit"])
    func oneFileCanGiveADocument(format: String) async throws {
        let file = Self.folder.appending(path: "walk.ndjson").path
        let outcome = try await Program.wholeOutcome(of: ["replay", "--format", format, file])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("walk.ndjson"))
        #expect(outcome.output.hasSuffix("\n"))
        #expect(outcome.errors == "")
    }

    @Test(arguments: [nil, 12_000])
    func aLongJournalIsReplayedToItsEnd(wrong: Int?) async throws {
        let header =
            #"{"journal":2,"app":"Racing","appVersion":"1.0","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":7,"#
            + #""path":"/splash"}"#
        let lines = (1...12_000).map { version in
            #"{"version":\#(version),"time":"2026-11-21T09:30:00Z","event":"navigation.back","payload":{},"#
                + #""at":"AppCoordinator/SplashCoordinator","handled":\#(version == wrong),"handledBy":null,"#
                + #""path":"/splash","origin":"client","pending":null}"#
        }
        let journal = ([header] + lines).joined(separator: "\n")
        #expect(journal.utf8.count > 2 * 1024 * 1024)
        try await withFolder(["long.ndjson": journal]) { folder in
            let outcome = try await Program.wholeOutcome(of: ["replay", folder.appending(path: "long.ndjson").path])
            #expect(outcome.status == (wrong == nil ? 0 : 1))
            #expect(outcome.output == (wrong == nil ? "/splash\n" : ""))
            #expect(wrong.map { outcome.errors.contains("Line \($0 + 1): handled was true") } ?? (outcome.errors == ""))
        }
    }
}
