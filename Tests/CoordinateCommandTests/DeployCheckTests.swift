import Coordinate
import CoordinateSQLite
import CoordinateSessions
import CoordinateTesting
import Foundation
import GRDB
import Glibc
import PostgreSQLCluster
import SessionFixtures
import Testing

/// `coordinate-server deploy-check`: the sessions of a store that this version of the app would quarantine.
struct DeployCheckTests {
    /// The history of a session whose second event was recorded otherwise.
    private static func history(
        event: String = "teams.didSelect", handled: Bool = true, handledBy: String = "AppCoordinator/MainCoordinator",
        path: String = "/main/teams/team/ferrari", team: String = "ferrari"
    ) -> [JournalEntry] {
        [
            JournalEntry(
                version: 1, time: Timestamp(seconds: 1), appVersion: "1.0", event: "splash.didFinish",
                payload: .object([]), at: "AppCoordinator/SplashCoordinator", isHandled: true,
                handledBy: "AppCoordinator", path: "/main/teams"),
            JournalEntry(
                version: 2, time: Timestamp(seconds: 2), appVersion: "1.0", event: event,
                payload: .object([PlainField("team", .string(team))]),
                at: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator", isHandled: handled,
                handledBy: handledBy, path: path),
        ]
    }

    private func check(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.wholeOutcome(of: ["deploy-check"] + arguments)
    }

    private static func report(_ output: String) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(output.utf8))
    }

    @Test func problemsAreGroupedByTheFirstEventAndByWhatDiffers() async throws {
        let histories = [
            Self.history(), Self.history(path: "/main/garage"), Self.history(path: "/main/pits"),
            Self.history(event: "teams.didOpen"), Self.history(handled: false),
            Self.history(handledBy: "AppCoordinator"),
        ]
        try await withStore(histories, others: 1) { path, records in
            let outcome = try await check("sqlite:\(path)", "--format", "json")
            #expect(outcome.status == 1)
            #expect(outcome.errors == "")
            let report = try Self.report(outcome.output)
            #expect(report["deployCheck"] == 1)
            #expect(report["app"] == "Racing")
            #expect(report["sessions"] == 6)
            #expect(report["ok"] == 1)
            #expect(report["differs"] == 5)
            #expect(report["unreadable"] == 0)
            #expect(report["complete"] == true)
            let groups = try #require(report["groups"]).array
            #expect(groups.map { $0["cause"]?.string } == ["path", "unknown-event", "handled", "handledBy"])
            #expect(groups.map { $0["sessions"]?.int } == [2, 1, 1, 1])
            #expect(
                groups.map { $0["event"]?.string }
                    == ["teams.didSelect", "teams.didOpen", "teams.didSelect", "teams.didSelect"])

            let example = groups[0]["journal"]
            #expect([records[1], records[2]].map(\.id.description).min() == example["session"]?.string)
            #expect(example["version"] == 2)
            #expect(example["now"]["path"] == "/main/teams/team/ferrari")
            #expect(["/main/garage", "/main/pits"].contains(example["recorded"]["path"]?.string ?? ""))
            let unknown = groups[1]["journal"]
            #expect(unknown["session"]?.string == records[3].id.description)
            #expect(unknown["now"] == .null)
            #expect(unknown["recorded"]["event"] == "teams.didOpen")

            let text = try await check("sqlite:\(path)")
            #expect(text.status == 1)
            #expect(text.output.contains("2 sessions  path teams.didSelect\n"))
            #expect(text.output.contains("  recorded: not handled, path /main/teams/team/ferrari\n"))
            #expect(text.output.hasSuffix("\n6 sessions: 1 ok, 5 differs\n"))

            let accepted = try await Program.wholeOutcome(
                of: ["deploy-check", "sqlite:\(path)"], environment: ["COORDINATE_ON_CHANGE": "accept"])
            #expect(accepted.status == 0)
            #expect(accepted.output.contains("6 sessions: 1 ok, 5 differs\n"))
        }
    }

    @Test(arguments: CrashHouse.Store.durable)
    func theStoreMayBeInUse(store: CrashHouse.Store) async throws {
        try await CrashHouse.with(store) { house in
            if store == .postgreSQL { #expect(try await check(house.journal).status == 78) }
            try await Program.run(["serve", "--port", "0", "--journal", house.journal]) { program in
                let client = SessionClient(url: try await program.url())
                _ = try await client.emit("splash.didFinish")
                let outcome = try await check(house.journal)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output == "1 session: 1 ok\n")
            }
        }
    }

    /// Runs the body with a store of the payment app, whose sessions have one event each.
    private nonisolated(nonsending) func withPayments(
        _ events: [String], _ body: nonisolated(nonsending) (_ store: String, URL) async throws -> Void
    ) async throws {
        let histories = events.map { event in
            [
                JournalEntry(
                    version: 1, time: Timestamp(seconds: 1), appVersion: "1", event: "payment.\(event)",
                    payload: .object([]), at: "CheckoutCoordinator", isHandled: true, handledBy: "CheckoutCoordinator",
                    path: "/cart")
            ]
        }
        try await withStore(histories, app: "Payment") { path, _ in
            try await body("sqlite:\(path)", URL(filePath: path).deletingLastPathComponent())
        }
    }

    /// A crash costs the result of its session only. They are several batches of sessions.
    @Test func crashesAreReportedBesideWhatIsRecordedAndCompared() async throws {
        try await withPayments((0..<80).map { $0 % 20 == 7 ? "step" : "cancel" }) { store, folder in
            let file = folder.appending(path: "payments.places").path
            func check(_ arguments: String...) async throws -> Program.Outcome {
                try await Program.wholeOutcome(
                    of: ["deploy-check", store] + arguments, of: "payment-server", environment: ["TILL": folder.path],
                    in: folder)
            }
            let recording = try await check("--record", file)
            #expect(recording.output == "80 sessions: 80 recorded in \(file)\n", "\(recording.errors)")
            try Data().write(to: folder.appending(path: "mine"))

            let plain = try await check("--format", "json")
            #expect(plain.status == 1)
            let found = try Self.report(plain.output)
            #expect(found["ok"] == 76)
            #expect(found["differs"] == 4)
            #expect(found["groups"][0]["event"] == "payment.step")
            #expect(found["groups"][0]["journal"]["version"] == 1)

            let report = try Self.report(try await check("--against", file, "--format", "json").output)
            #expect(report["sessions"] == 80)
            #expect(report["compared"] == 76)
            #expect(report["ok"] == 76)
            #expect(report["groups"][0]["cause"] == "crash")
            #expect(report["groups"][0]["sessions"] == 4)

            let outcome = try await check("--record", file)
            #expect(outcome.status == 0)
            #expect(
                outcome.output.hasSuffix("\n80 sessions: 76 recorded in \(file), 4 cannot be replayed\n"),
                "\(outcome.output)")
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 77)
        }
    }

    @Test func sessionsThatCannotBeRecordedAreListed() async throws {
        try await withStore([Self.history(), Self.history(handled: false), []]) { path, _ in
            let file = path + ".places"
            let recording = try await check("sqlite:\(path)", "--record", file)
            #expect(recording.status == 0)
            #expect(recording.output.hasPrefix("1 session  handled teams.didSelect\n"), "\(recording.output)")
            #expect(recording.output.hasSuffix("\n3 sessions: 2 recorded in \(file), 1 cannot be replayed\n"))
            let comparison = try await check("sqlite:\(path)", "--against", file)
            #expect(comparison.status == 1)
            let remark = "Of these: 1 would be quarantined, 1 not in \(file) and not compared.\n"
            #expect(comparison.output.contains("\n3 sessions: 2 ok, 1 lost\n\(remark)"), "\(comparison.output)")
            #expect(comparison.output.hasSuffix("was recorded by the same version, 1.0.\n"))
        }
    }

    /// A server would continue with sessions that differ, and crash with these.
    @Test func crashesCountEvenIfDifferencesAreAccepted() async throws {
        try await withPayments(["cancel", "trap"]) { store, folder in
            let outcome = try await Program.wholeOutcome(
                of: ["deploy-check", store], of: "payment-server",
                environment: ["TILL": folder.path, "COORDINATE_ON_CHANGE": "accept"], in: folder)
            #expect(outcome.status == 1)
            #expect(outcome.output.hasSuffix("But servers would crash with 1 session.\n"), "\(outcome.output)")
        }
    }

    @Test func whatTheProgramWritesAtItsStartIsNoResult() async throws {
        try await withPayments(["cancel", "cancel"]) { store, folder in
            let outcome = try await Program.wholeOutcome(
                of: ["deploy-check", store], of: "payment-server",
                environment: ["TILL": folder.path, "BANNER": "Loading\nLoading "], in: folder)
            #expect(outcome.status == 0)
            #expect(outcome.output.hasSuffix("2 sessions: 2 ok\n"), "\(outcome.output)")
        }
    }

    @Test func aReportThatCannotBeWrittenIsAnError() async throws {
        try await withPayments(["cancel"]) { store, folder in
            let program = try Program.executable("payment-server").path
            let outcome = try await Program.wholeOutcome(
                of: ["-c", "exec '\(program)' deploy-check '\(store)' >/dev/full"], of: "/bin/sh",
                environment: ["TILL": folder.path], in: folder)
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains("The standard output cannot be written"))
        }
    }

    /// It takes twice ten seconds.
    @Test func aTurnThatDoesNotEndIsReported() async throws {
        try await withPayments(["cancel", "hang", "cancel"]) { store, folder in
            let outcome = try await Program.wholeOutcome(
                of: ["deploy-check", store], of: "payment-server", environment: ["TILL": folder.path], in: folder)
            #expect(outcome.status == 1)
            #expect(outcome.output.hasPrefix("1 session  crash payment.hang\n"), "\(outcome.output)")
            #expect(outcome.output.contains(", version 1: a turn did not end within 10 s, twice\n"))
            #expect(outcome.output.hasSuffix("\n3 sessions: 2 ok, 1 differs\n"))
        }
    }

    @Test(arguments: [[], ["--record", "payments.places"]])
    func anInterruptionEndsTheCheckWithoutAReport(options: [String]) async throws {
        try await withPayments(["loop"]) { store, folder in
            try await Program.runFromShell(
                ["deploy-check", store] + options, of: "payment-server", environment: ["TILL": folder.path], in: folder
            ) { program in
                var workers: [Int32] = []
                while workers.isEmpty {
                    try await Task.sleep(for: .milliseconds(2))
                    workers = try program.children
                }
                program.kill(SIGINT)
                #expect(await program.status() == 128 + SIGINT)
                // They notice it after the turn.
                for worker in workers { kill(worker, SIGKILL) }
                #expect(await program.remainingOutput() == "")
                #expect(await program.remainingErrors() == "")
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!files.contains { $0.hasPrefix("payments.places") })
        }
    }

    @Test func anUnreadableEntryOutweighsADifference() async throws {
        try await withStore([Self.history(), Self.history(path: "/main/garage")]) { path, records in
            let database = try DatabaseQueue(path: path)
            try await database.write { database in
                try database.execute(
                    sql: "UPDATE entries SET content = X'7B' WHERE session = ?",
                    arguments: [records[0].id.description])
            }
            try database.close()
            let outcome = try await check("sqlite:\(path)", "--format", "json")
            #expect(outcome.status == 78)
            let report = try Self.report(outcome.output)
            #expect(try await check("sqlite:\(path)", "--record", path + ".places").status == 78)
            #expect(report["unreadable"] == 1)
            #expect(report["differs"] == 1)
            #expect(report["groups"]?.array.contains { $0["cause"] == "damaged" } == true)
        }
    }
}
