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

    // MARK: Several journals

    /// The kind of a journal among several, and its report.
    private enum Kind {
        case same, differs, broken, unreadable

        var word: String {
            switch self {
            case .same: "ok"
            case .differs: "differs"
            case .broken, .unreadable: "unreadable"
            }
        }

        var line: Int? { self == .differs ? 3 : nil }

        var reason: String? {
            switch self {
            case .same: nil
            case .differs:
                "path was /main/<\u{1}&\"team's\"> when it was recorded, and is /main/teams/team/ferrari now."
            case .broken: "is no exported journal. Line 1: it is not valid JSON"
            case .unreadable: "cannot be read"
            }
        }
    }

    /// A folder with journals whose names need escapes in XML, and with other files.
    private nonisolated(nonsending) func withJournals(
        _ kinds: [Kind], _ body: nonisolated(nonsending) (URL, [(path: String, kind: Kind)]) async throws -> Void
    ) async throws {
        let recorded = try String(contentsOf: Self.folder.appending(path: "favourites.ndjson"), encoding: .utf8)
        let other = #""path":"/main/<\u0001&\"team's\">""#
        let range = try #require(recorded.range(of: #""path":"/main/teams/team/ferrari""#))
        let changed = recorded.replacingCharacters(in: range, with: other)
        try await withFolder(["notes.txt": "none", "ndjson": "none"]) { folder in
            var journals: [(path: String, kind: Kind)] = []
            for (index, kind) in kinds.enumerated() {
                let url = folder.appending(path: "\(index) <a & \"b\">.ndjson")
                journals.append((url.path, kind))
                switch kind {
                case .same: try Data(recorded.utf8).write(to: url)
                case .differs: try Data(changed.utf8).write(to: url)
                case .broken: try Data().write(to: url)
                case .unreadable: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
                }
            }
            let inner = folder.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try Data().write(to: inner.appending(path: "journal.ndjson"))
            try await body(folder, journals)
        }
    }

    private static let mixtures: [(kinds: [Kind], status: Int32)] = [
        ([.same], 0), ([.same, .same, .same], 0), ([.differs], 1), ([.same, .differs, .same], 1),
        ([.broken], 78), ([.differs, .broken], 78), ([.unreadable], 78), ([.unreadable, .same], 78),
        ([.differs, .unreadable, .same, .broken], 78),
    ]

    /// The standard error names each journal that differs, in every format.
    private func check(_ errors: String, _ journals: [(path: String, kind: Kind)]) {
        let lines = errors.split(separator: "\n")
        let wrong = journals.filter { $0.kind != .same }
        #expect(lines.count == wrong.count, "\(errors)")
        for (line, journal) in zip(lines, wrong) {
            #expect(line.contains(journal.path))
            #expect(line.contains(journal.kind.reason ?? ""))
            if let number = journal.kind.line { #expect(line.contains(": Line \(number): ")) }
        }
    }

    @Test(arguments: mixtures.indices)
    func severalJournalsGiveOneLineEachAndASummary(mixture: Int) async throws {
        let (kinds, status) = Self.mixtures[mixture]
        try await withJournals(kinds) { folder, journals in
            let outcome = try await Program.wholeOutcome(of: ["replay", folder.path])
            #expect(outcome.status == status)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == kinds.count + 1)
            for (line, journal) in zip(lines, journals) {
                #expect(line.hasPrefix("\(journal.kind.word) "))
                #expect(line.contains("  \(journal.path)"))
                let end = journal.kind.line.map { "  line \($0)" } ?? (journal.kind == .same ? "  /main/profile" : "")
                #expect(line.hasSuffix(end))
            }
            let summary = try #require(lines.last)
            #expect(summary.hasPrefix(kinds.count == 1 ? "1 journal: " : "\(kinds.count) journals: "))
            for word in ["ok", "differs", "unreadable"] {
                let count = kinds.count { $0.word == word }
                #expect(summary.contains("\(count) \(word)") == (count > 0))
            }
            check(outcome.errors, journals)
        }
    }

    @Test(arguments: mixtures.indices)
    func severalJournalsGiveOneDocument(mixture: Int) async throws {
        let (kinds, status) = Self.mixtures[mixture]
        try await withJournals(kinds) { folder, journals in
            let outcome = try await Program.wholeOutcome(of: ["replay", folder.path, "--format", "json"])
            #expect(outcome.status == status)
            let report = try JSONDecoder().decode(JSON.self, from: Data(outcome.output.utf8))
            #expect(report["replay"] == 1)
            #expect(report["app"] == "Racing")
            for word in ["ok", "differs", "unreadable"] {
                #expect(report[word] == .int(kinds.count { $0.word == word }))
            }
            let results = report["journals"]?.array ?? []
            #expect(results.compactMap { $0["journal"]?.string } == journals.map(\.path))
            for (result, journal) in zip(results, journals) {
                #expect(result["result"] == .string(journal.kind.word))
                #expect(result["path"] == (journal.kind == .same ? "/main/profile" : .null))
                #expect(result["line"] == journal.kind.line.map(JSON.int) ?? .null)
                #expect(
                    result["reason"]?.string?.contains(journal.kind.reason ?? "")
                        == journal.kind.reason.map { _ in true })
                #expect((result["events"]?.int ?? -1 > 2) == (journal.kind == .same))
            }
            check(outcome.errors, journals)
        }
    }

    @Test(arguments: mixtures.indices)
    func severalJournalsGiveTestCases(mixture: Int) async throws {
        let (kinds, status) = Self.mixtures[mixture]
        try await withJournals(kinds) { folder, journals in
            let outcome = try await Program.wholeOutcome(of: ["replay", folder.path, "--format", "junit"])
            #expect(outcome.status == status)
            let report = try XMLDocument(data: Data(outcome.output.utf8))
            let suite = try #require(try report.nodes(forXPath: "/testsuites/testsuite").first as? XMLElement)
            #expect(suite.attribute(forName: "name")?.stringValue == "Racing")
            for (name, word) in [("failures", "differs"), ("errors", "unreadable")] {
                #expect(suite.attribute(forName: name)?.stringValue == "\(kinds.count { $0.word == word })")
            }
            #expect(suite.attribute(forName: "tests")?.stringValue == "\(kinds.count)")
            let cases = suite.elements(forName: "testcase")
            #expect(cases.map { $0.attribute(forName: "name")?.stringValue } == journals.map(\.path))
            for (test, journal) in zip(cases, journals) {
                #expect(Double(test.attribute(forName: "time")?.stringValue ?? "") != nil)
                let problem = test.children?.compactMap { $0 as? XMLElement }.first
                #expect(problem?.name == ["ok": nil, "differs": "failure", "unreadable": "error"][journal.kind.word])
                // XML cannot contain that character.
                let reason = journal.kind.reason?.replacing("\u{1}", with: "\u{FFFD}") ?? ""
                #expect(problem?.attribute(forName: "message")?.stringValue?.contains(reason) ?? true)
                #expect(problem?.stringValue?.contains(reason) ?? true)
            }
            check(outcome.errors, journals)
        }
    }

    @Test func filesAndFoldersAreReplayedInOrder() async throws {
        try await withJournals([.same, .differs]) { folder, journals in
            let file = Self.folder.appending(path: "walk.ndjson").path
            let outcome = try await Program.wholeOutcome(of: ["replay", file, folder.path + "/", journals[0].path])
            #expect(outcome.status == 1)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 5)
            for (line, path) in zip(lines, [file] + journals.map(\.path) + [journals[0].path]) {
                #expect(line.contains("  \(path)  "))
            }
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

    @Test(arguments: [nil, 1, 5_000, 12_000])
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
