import Coordinate
import CoordinateExplore
import CoordinateSessions
import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `coordinate-server explore`: the racing app's graph, its comparison with journals, and what was lost since.
///
/// Two teams are enough for all of its screens.
struct ExploreTests {
    private static let journals = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Journals")

    /// Explores in a folder with a small season and the test's own files.
    private nonisolated(nonsending) func explore(
        _ arguments: [String], _ files: [String: String] = [:],
        _ check:
            nonisolated(nonsending) (_ outcome: (status: Int32, output: String, errors: String), URL) async throws
            -> Void
    ) async throws {
        let all = files.merging(["season.json": RacingApp.twoTeamsSeason]) { $1 }
        try await withFolder(all) { folder in
            let inFolder = arguments.map { all[$0] == nil ? $0 : folder.appending(path: $0).path }
            let outcome = try await Program.wholeOutcome(
                of: ["explore", "--app-data", folder.appending(path: "season.json").path] + inFolder)
            try await check((outcome.status, outcome.output, outcome.errors), folder)
        }
    }

    private func document(_ output: String) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(output.utf8))
    }

    @Test func theGraphIsADocumentWithoutFindings() async throws {
        try await explore(["--key", "path", "--strict=all", "--random", "10", "--seed", "7"]) { outcome, _ in
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            let graph = try document(outcome.output)
            #expect(graph["explore"] == 1)
            #expect(graph["app"] == "Racing")
            #expect(graph["key"] == "path")
            #expect(graph["findings"]?.array.isEmpty == true)
            #expect(graph["truncated"] == .bool(false))
            // The same counts as in RacingGraphTests.
            #expect(graph["states"]?.array.count == 49)
            #expect(graph["states"]?.array.first?["key"] == "/splash")
            let random = graph["random"]
            #expect(random["walks"] == 10)
            #expect(random["seed"] == 7)
            #expect(random["events"]?.int ?? 0 > 10)
            #expect(random["failures"]?.array.isEmpty == true)
        }
    }

    @Test func aLimitIsReportedWithTheRemainingStates() async throws {
        try await explore(["--max-states", "4", "--strict"]) { outcome, _ in
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("stopped at 4 states"))
            #expect(outcome.errors.contains("--max-states"))
            let graph = try document(outcome.output)
            #expect(graph["key"] == "offer")
            #expect(graph["states"]?.array.count == 4)
            #expect(graph["truncated"] == .bool(true))
            #expect(graph["frontier"]?.int ?? 0 > 0)
        }
        try await explore(["--depth", "1", "--key", "document"]) { outcome, _ in
            let depths = try document(outcome.output)["states"]?.array.compactMap { $0["depth"]?.int } ?? []
            #expect(Set(depths) == [0, 1])
        }
    }

    @Test func aWalkEndsInTime() async throws {
        try await explore(["--key", "document", "--max-states", "1000000", "--seconds", "1"]) { outcome, _ in
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("multiplied the states by"), "\(outcome.errors)")
            let graph = try document(outcome.output)
            #expect(graph["truncated"] == .bool(true))
        }
    }

    @Test func anInterruptedWalkGivesWhatItHas() async throws {
        try await interrupt([]) { program in
            let output = await program.remainingOutput()
            #expect(await program.status() == 0)
            let graph = try document(output)
            #expect(graph["truncated"] == .bool(true))
        }
    }

    @Test func anInterruptedWalkWritesNoTests() async throws {
        try await withFolder { folder in
            let journals = folder.appending(path: "journals").path
            try await interrupt(["--tests", journals]) { program in
                #expect(await program.remainingOutput() == "")
                #expect(await program.status() == 1)
                #expect(await program.remainingErrors().contains("No tests were written."))
            }
            #expect(!FileManager.default.fileExists(atPath: journals))
        }
    }

    private func interrupt(_ arguments: [String], _ body: (Program) async throws -> Void) async throws {
        try await Program.run(["explore", "--key", "document", "--max-states", "1000000"] + arguments) { program in
            // The program has to be ready for the signal.
            while try !Self.catchesInterrupt(program.id) { await Task.yield() }
            program.kill(SIGINT)
            try await body(program)
        }
    }

    /// Whether a process handles SIGINT itself.
    private static func catchesInterrupt(_ id: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
        return mask.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << UInt64(SIGINT - 1) != 0 } ?? false
    }

    @Test func theGraphCanBeDrawn() async throws {
        try await explore(["--key", "screen", "--format", "mermaid"]) { outcome, _ in
            #expect(outcome.output.hasPrefix("flowchart LR\n    s0[\"Splash\"]\n"))
            #expect(outcome.output.contains("-->|\"splash.didFinish"))
        }
        try await explore(["--key", "screen", "--format", "dot"]) { outcome, _ in
            #expect(outcome.output.hasPrefix("digraph \"Racing\" {\n"))
            #expect(outcome.output.hasSuffix("}\n"))
        }
    }

    @Test func findingsAreReported() async throws {
        let drawn = try await Program.wholeOutcome(
            of: ["explore", "--key", "screen", "--format", "junit", "--random", "2"], of: "payment-server")
        #expect(drawn.status == 0)
        let report = try XMLDocument(data: Data(drawn.output.utf8))
        #expect(
            try report.nodes(forXPath: "//testcase[failure]/@name").map(\.stringValue) == ["dead-end 1 at Checkout"])
        let names = try report.nodes(forXPath: "//testcase/@name").compactMap(\.stringValue)
        #expect(names.contains("2 walks of seed 0"))
        let skipped = try report.nodes(forXPath: "//testcase/skipped/@message").compactMap(\.stringValue)
        #expect(skipped.contains { $0.hasPrefix("payment.pay is declared, but was not offered") })
        // What is wrong is a failure with --strict.
        let strict = try await Program.wholeOutcome(
            of: ["explore", "--key", "screen", "--strict"], of: "payment-server")
        #expect(strict.status == 1)
        #expect(strict.errors.contains("wrong, dead-end: Checkout at /cart offers no action"))
        #expect(strict.errors.contains("not reached, event: payment.pay is declared"))
    }

    // MARK: Tests

    /// Writes tests in a new folder, lets the body change it, and writes them again.
    private nonisolated(nonsending) func writeTests(
        _ arguments: [String] = [], twiceAround change: (URL) throws -> Void
    ) async throws -> (Program.Outcome, Program.Outcome, [String: Data]) {
        try await withFolder(["season.json": RacingApp.twoTeamsSeason]) { folder in
            let journals = folder.appending(path: "new/journals")
            let season = folder.appending(path: "season.json").path
            let arguments = ["explore", "--app-data", season, "--tests", journals.path] + arguments
            let first = try await Program.wholeOutcome(of: arguments)
            try change(journals)
            let second = try await Program.wholeOutcome(of: arguments)
            let names = try FileManager.default.contentsOfDirectory(atPath: journals.path)
            let files = try names.map { ($0, try Data(contentsOf: journals.appending(path: $0))) }
            return (first, second, Dictionary(uniqueKeysWithValues: files))
        }
    }

    @Test func journalsThatCoverTheAppAreWritten() async throws {
        let (outcome, again, files) = try await writeTests { _ in }
        #expect((outcome.status, again.status) == (0, 0))
        #expect(outcome.output == again.output)
        // Some events need an option that is off by default.
        #expect(outcome.output.contains("9 of 9 screens, 19 of 19 kinds of events"), "\(outcome.output)")
        #expect(outcome.errors == "")
        #expect((2...15).contains(files.count))
        for lines in files.values { try RacingApp.twoTeams().replay(lines) }
    }

    @Test func aTruncatedWalkRemovesNoJournalAndNoneOfAnotherAppIsRemoved() async throws {
        func generated(by app: String) -> Data { Data(#"{"journal":2,"app":"\#(app)","generator":"explore"}"#.utf8) }
        try await withFolder(["season.json": RacingApp.twoTeamsSeason]) { folder in
            let (stale, other) = (folder.appending(path: "stale.ndjson"), folder.appending(path: "other.ndjson"))
            try generated(by: "Racing").write(to: stale)
            try generated(by: "Notes").write(to: other)
            let arguments = [
                "explore", "--app-data", folder.appending(path: "season.json").path, "--tests", folder.path,
            ]
            for (limit, remains) in [(["--max-states", "3"], true), ([], false)] {
                #expect(try await Program.wholeOutcome(of: arguments + limit).status == 0)
                #expect(FileManager.default.fileExists(atPath: stale.path) == remains)
                #expect(FileManager.default.fileExists(atPath: other.path))
            }
        }
    }

    @Test func onlyJournalsThatExploreHasWrittenAreReplaced() async throws {
        let own = try Data(contentsOf: Self.journals.appending(path: "favourites.ndjson"))
        let (first, second, files) = try await writeTests(["--key", "screen"]) { folder in
            let links = folder.appending(path: "links.ndjson")
            let stale = try String(contentsOf: links, encoding: .utf8)
            try Data(stale.utf8).write(to: folder.appending(path: "stale.ndjson"))
            try Data().write(to: links)
            try own.write(to: folder.appending(path: "own.ndjson"))
        }
        #expect(first.status == 0)
        // An empty file is not one of explore's.
        #expect(second.status == 78)
        #expect(second.errors.contains("links.ndjson was not written by explore"), "\(second.errors)")
        #expect(files["links.ndjson"] == Data() && files["stale.ndjson"] != nil)

        let (_, third, rest) = try await writeTests(["--key", "screen", "--strict=all", "--format", "json"]) { folder in
            let stale = try Data(contentsOf: folder.appending(path: "links.ndjson"))
            try stale.write(to: folder.appending(path: "stale.ndjson"))
            try own.write(to: folder.appending(path: "own.ndjson"))
        }
        // By screen, some events are not covered. With a format, the output is the graph.
        #expect(third.status == 1)
        #expect(third.errors.contains("not covered: drivers.unsetFavorite"))
        #expect(try document(third.output)["explore"] == 1)
        #expect(rest["own.ndjson"] == own && rest["links.ndjson"] != nil && rest["stale.ndjson"] == nil)
    }

    // MARK: Cover

    @Test func recordedJournalsAreComparedWithTheGraph() async throws {
        let file = Self.journals.appending(path: "favourites.ndjson").path
        // The journal is from the whole season.
        let outcome = try await Program.wholeOutcome(of: ["explore", "--key", "screen", "--cover", file])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let coverage = try #require(try document(outcome.output)["coverage"])
        let (seen, all) = (coverage["states"]?["seen"]?.int ?? 0, coverage["states"]?["of"]?.int ?? 0)
        #expect(all == 9)
        #expect((1..<all).contains(seen))
        let missed = coverage["missed"]?.array ?? []
        #expect(missed.count { $0["state"] != nil } == all - seen)
        let taken = coverage["transitions"]?["seen"]?.int ?? 0
        let offered = coverage["transitions"]?["of"]?.int ?? 0
        #expect(missed.count { $0["event"] != nil } == offered - taken)
        #expect(taken > 0)
        let uses = coverage["uses"]?["transitions"]?.array.compactMap(\.int) ?? []
        #expect(uses.count { $0 > 0 } == taken)
        let drawing = try await Program.wholeOutcome(
            of: ["explore", "--key", "screen", "--cover", file, "--format", "mermaid"])
        #expect(drawing.output.contains("times\"]") && drawing.output.contains("never\"]"))
    }

    @Test func aDifferingJournalIsReportedAndCountsUpToThere() async throws {
        let recorded = try String(contentsOf: Self.journals.appending(path: "favourites.ndjson"), encoding: .utf8)
        let changed = recorded.replacing(
            #""path":"/main/teams/team/ferrari""#, with: #""path":"/main/teams/team/haas""#)
        try await explore(["--key", "screen", "--cover", "changed.ndjson"], ["changed.ndjson": changed]) { outcome, _ in
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("changed.ndjson: Line 3: "))
            let seen = try document(outcome.output)["coverage"]?["states"]?["seen"]?.int
            #expect(seen ?? 0 >= 2)
        }
    }

    // MARK: Diff

    @Test func lostStatesAreFailures() async throws {
        try await explore(["--key", "screen"]) { outcome, _ in
            try await explore(["--key", "screen", "--diff", "old.json"], ["old.json": outcome.output]) { same, _ in
                #expect(same.status == 0)
                let states = try document(same.output)["diff"]?["states"]
                #expect(states?["lost"]?.array.isEmpty == true)
                #expect(states?["gained"]?.array.isEmpty == true)
            }
            let old = outcome.output.replacing("\"Splash\"", with: "\"Advertisement\"")
            try await explore(["--key", "screen", "--diff", "old.json"], ["old.json": old]) { other, _ in
                #expect(other.status == 1)
                #expect(other.errors.contains("lost: the state Advertisement"))
                let states = try document(other.output)["diff"]?["states"]
                #expect(states?["lost"]?.array.map(\.string) == ["Advertisement"])
                #expect(states?["gained"]?.array.map(\.string) == ["Splash"])
            }
            try await explore(
                ["--key", "screen", "--format", "junit", "--diff", "old.json"], ["old.json": old]
            ) { other, _ in
                #expect(other.status == 1)
                let failures = try XMLDocument(data: Data(other.output.utf8))
                    .nodes(forXPath: "//testcase[@classname='diff']/failure/@message").compactMap(\.stringValue)
                #expect(failures.contains("The state Advertisement is missing."))
                #expect(failures.contains { $0.hasPrefix("The transition ") && $0.contains(" from Advertisement to ") })
            }
        }
    }
}
