import CoordinateTesting
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Testing

/// `deploy-check --record` and `--against`: what the sessions of a shop lose with another release of it.
struct ReleaseTests {
    /// A release, the exit status, the counts, and of the first group the kind, cause, name, title and sessions.
    private typealias Expectation = (
        release: String, status: Int32, ok: Int, lost: Int, changed: Int, gained: Int, differs: Int,
        group: (kind: String, cause: String, name: String, title: String?, sessions: Int)?,
        line: (session: String, version: Int, text: String)?
    )

    private static let expectations: [Expectation] = [
        ("first", 0, 7, 0, 0, 0, 0, nil, nil),
        ("same", 0, 7, 0, 0, 0, 0, nil, nil),
        ("emptied", 1, 4, 3, 0, 0, 0, ("lost", "fact", "total", nil, 2), ("basket", 2, #"row "Lamp" (lamp) is gone"#)),
        (
            "retitled", 0, 7, 0, 7, 0, 0, ("changed", "text", "row title", nil, 2),
            ("shelf", 0, #"text of "Lamp" (row title) was Lamp, and is Lamp! now"#)
        ),
        ("renamed", 0, 7, 0, 0, 0, 0, nil, nil),
        (
            "unmigrated", 1, 0, 7, 0, 2, 5, ("quarantined", "unknown-event", "basket.add", nil, 5),
            ("shelf", 0, #"offer "Add" of "Lamp" (basket.add) is gone"#)
        ),
        ("generous", 0, 7, 0, 0, 2, 0, nil, nil),
        ("moved", 1, 4, 3, 0, 0, 3, ("quarantined", "path", "basket.checkOut", nil, 3), nil),
    ]

    /// The report for people and the one for programs say the same, and nothing goes to the standard error, which is no
    /// terminal. `PlaceTests` has all kinds of differences.
    @Test func eachReleaseIsReportedByWhatItsSessionsLose() async throws {
        try await Shop.with { shop in
            for expected in Self.expectations {
                let release = Comment(rawValue: expected.release)
                let json = try await shop.check(expected.release, "--against", shop.file, "--format", "json")
                #expect(json.status == expected.status, release)
                #expect(json.errors == "", release)
                #expect(json.output.firstIndex(of: "\n") == json.output.indices.last, release)
                let report = try report(json)
                let counts = ["sessions", "compared", "ok", "lost", "changed", "gained", "differs"]
                    .map { report[$0]?.int }
                #expect(
                    counts == [
                        7, 7 - expected.differs, expected.ok, expected.lost, expected.changed, expected.gained,
                        expected.differs,
                    ],
                    release)
                let group = report["groups"][0]
                #expect(group["kind"]?.string == expected.group?.kind, release)
                #expect(group["cause"]?.string == expected.group?.cause, release)
                #expect(group["sessions"]?.int == expected.group?.sessions, release)
                #expect(group["title"]?.string == expected.group?.title, release)
                let name = group["name"]?.string ?? group["event"]?.string ?? ""
                #expect(name == expected.group?.name ?? "", release)

                let text = try await shop.check(expected.release, "--against", shop.file)
                #expect(text.status == expected.status, release)
                #expect(text.errors == "", release)
                for group in report["groups"]?.array ?? [] {
                    let journal = group["journal"]
                    let example = "\(journal["session"]?.string ?? ""), version \(journal["version"]?.int ?? -1)"
                    #expect(text.output.contains(example), release)
                    #expect(text.output.contains(journal["reason"]?.string ?? "?"), release)
                }
                if let (session, version, line) = expected.line {
                    #expect(text.output.contains("\(shop.sessions[session] ?? ""), version \(version), at /"), release)
                    #expect(text.output.contains("    \(line)\n"), "\(text.output)")
                }
                let ends = [(expected.ok, "ok"), (expected.lost, "lost")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
                #expect(text.output.contains("7 sessions: \(ends.joined(separator: ", "))\n"), "\(text.output)")
            }
        }
    }

    @Test func allDifferencesOfASessionAreListed() async throws {
        try await Shop.with { shop in
            let report = try report(try await shop.check("emptied", "--against", shop.file, "--format", "json"))
            let group = try #require(report["groups"]?.array.first { $0["cause"] == "row" })
            #expect(group["journal"]["session"]?.string == shop.sessions["basket"])
            #expect(group["journal"]["path"] == "/basket")
            let differences = group["journal"]["differences"]?.array ?? []
            #expect(differences.map { $0["cause"] } == ["row", "offer", "fact"])
            #expect(differences.map { $0["title"]?.string } == ["Lamp", "Check out", nil])
            #expect(
                differences.map { $0["was"] } == ["Lamp, 1, 40.00", "basket.checkOut", "40.00"])
            #expect(differences.map { $0["now"] } == [.null, .null, "0.00"])
            let others = group["others"]?.array ?? []
            #expect(others.map { $0["name"] } == ["total", "basket.checkOut"])
            #expect(others.map { $0["sessions"] } == [1, 1])
        }
    }

    @Test func strictChecksFailForTexts() async throws {
        try await Shop.with { shop in
            for (release, status) in [("retitled", 1), ("generous", 0), ("renamed", 0)] as [(String, Int32)] {
                let outcome = try await shop.check(release, "--against", shop.file, "--strict")
                #expect(outcome.status == status, Comment(rawValue: release))
                #expect(outcome.output.contains("7 sessions: 7 \(status == 0 ? "ok" : "changed")\n"))
            }
        }
    }

    @Test func aSampleIsComparedWithItsRecording() async throws {
        try await Shop.with { shop in
            let recording = try await shop.check("first", "--record", shop.file, "--sample", "3")
            #expect(recording.output == "3 sessions: 3 recorded in \(shop.file)\n")
            #expect(try shop.lines().count == 4)
            let sample = ["--against", shop.file, "--format", "json"]
            // Each run draws the same ones.
            #expect(try report(try await shop.check("same", sample + ["--sample", "3"]))["compared"] == 3)
            let all = try report(try await shop.check("same", sample))
            #expect(all["sessions"] == 7)
            #expect(all["compared"] == 3)
        }
    }

    @Test func sessionsAreComparedAtTheirRecordedVersions() async throws {
        try await Shop.with { shop in
            try await shop.serve { client in
                let new = try await Shop.session(client, [("add", "lamp"), ("open", nil)])
                #expect(shop.sessions.values.contains(new) == false)
                _ = try await client.inSession(try #require(shop.sessions["basket"])).emit("basket.checkOut")
                _ = try await client.delete("/sessions/\(try #require(shop.sessions["removed"]))")
            }
            let against = ["--against", shop.file, "--format", "json"]
            for (release, lost, differs) in [
                ("same", 0, 0), ("emptied", 3, 0), ("moved", 4, 4), ("unmigrated", 7, 5),
            ] {
                let report = try report(try await shop.check(release, against))
                #expect(report["sessions"] == 7)
                #expect(report["lost"] == .int(lost), Comment(rawValue: release))
                #expect(report["differs"] == .int(differs), Comment(rawValue: release))
            }
            let text = try await shop.check("same", "--against", shop.file)
            #expect(text.output == "7 sessions: 7 ok\nOf these: 1 not in \(shop.file) and not compared.\n")
        }
    }

    /// Sessions continue in spite of what differs, and are compared where they arrive.
    @Test func acceptedDifferencesAreComparedAtTheirEnd() async throws {
        try await Shop.with { shop in
            let outcome = try await shop.check(
                "moved", ["--against", shop.file, "--format", "json"], ["COORDINATE_ON_CHANGE": "accept"])
            #expect(outcome.status == 1)
            #expect(outcome.errors == "")
            let report = try report(outcome)
            #expect(report["differs"] == 0)
            #expect(report["lost"] == 3)
            let groups = report["groups"]?.array ?? []
            #expect(groups.map { $0["cause"] } == ["path", "fact"])
            #expect(groups.first?["journal"]["differences"][0]["now"] == "/shelf")
        }
    }

    // MARK: Files

    @Test func aRecordingReplacesTheOlderOne() async throws {
        try await Shop.with { shop in
            try Data((try shop.lines()[0] + "\n").utf8).write(to: URL(filePath: shop.file))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: shop.file)
            #expect(try await shop.check("first", "--record", shop.file).status == 0)
            let file = try FileManager.default.attributesOfItem(atPath: shop.file)
            #expect(file[.posixPermissions] as? Int == 0o600)
            #expect(!FileManager.default.fileExists(atPath: shop.file + ".part"))
            #expect(try shop.lines().first == #"{"places":1,"app":"Basket","appVersion":"1.0"}"#)
            let ids = try shop.lines().dropFirst().map { String($0.dropFirst(12).prefix(22)) }
            #expect(ids == shop.sessions.values.sorted())
        }
    }

    /// A recording never replaces anything else, such as the store.
    @Test func filesThatCannotBeWrittenAreLeftAlone() async throws {
        try await Shop.with { shop in
            let store = shop.store.replacing("sqlite:", with: "")
            let folder = shop.folder.appending(path: "folder").path
            // Another recording may be writing it.
            let unfinished = shop.folder.appending(path: "other.part")
            try Data("unfinished".utf8).write(to: unfinished)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            for (file, status) in [
                (store, 78), (folder, 78), ("/dev/null", 78), (folder + "/none/places", 69),
                (String(unfinished.path.dropLast(".part".count)), 78),
            ] as [(String, Int32)] {
                let outcome = try await shop.check("first", "--record", file)
                #expect(outcome.status == status, Comment(rawValue: file))
                #expect(outcome.output == "")
                #expect(outcome.errors.hasPrefix("release-server: \(file)"), "\(outcome.errors)")
            }
            #expect(try String(contentsOf: unfinished, encoding: .utf8) == "unfinished")
            #expect(try await shop.check("same", "--against", shop.file).output == "7 sessions: 7 ok\n")
        }
    }

    @Test func filesWithoutRecordedPlacesAreRefused() async throws {
        try await Shop.with { shop in
            let lines = try shop.lines()
            let noPlace = lines[2].replacing(#""path":"#, with: #""past":"#)
            for (content, message) in [
                ([], "Line 1"), (["{}"], #"{"places": 1"#), ([#"{"journal":1,"app":"Basket"}"#], #"{"places": 1"#),
                ([lines[0].replacing("Basket", with: "Till")] + lines.dropFirst(), "the app Till"),
                (lines[...2] + ["{}"] + lines[3...], "Line 4: it has no session."),
                (lines[...2] + [lines[1]], "Line 4: its session must come after"),
                (lines[...0] + lines[1...].reversed(), "Line 3: its session must come after"),
                (lines[...1] + [noPlace] + lines[3...], "At byte \(lines[0].utf8.count + lines[1].utf8.count + 2): "),
                (lines[...1] + [String(lines[2].dropLast(9))], "At byte "),
            ] as [([String], String)] {
                try Data(content.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: shop.file))
                let outcome = try await shop.check("same", "--against", shop.file)
                #expect(outcome.status == 78, Comment(rawValue: message))
                #expect(outcome.output == "")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
                #expect(outcome.errors.contains(message), "\(outcome.errors)")
            }
            // A pipe cannot be read twice.
            #expect(mkfifo(shop.file + ".pipe", 0o600) == 0)
            for file in [shop.file + ".pipe", shop.folder.path, shop.store.replacing("sqlite:", with: "")] {
                #expect(try await shop.check("same", "--against", file).status == 78)
            }
        }
    }

    @Test func titlesStayOnTheirLines() async throws {
        try await Shop.with { shop in
            let titles = try shop.lines().joined(separator: "\n").replacing("Lamp", with: #"La\nmp \u001b[2J\" 灯"#)
            try Data(titles.utf8).write(to: URL(filePath: shop.file))
            let text = try await shop.check("emptied", "--against", shop.file)
            #expect(text.output.contains("    row \"La\\nmp \\u{1B}[2J\" 灯\" (lamp) is gone\n"), "\(text.output)")
            let json = try report(try await shop.check("emptied", "--against", shop.file, "--format", "json"))
            #expect(json["groups"]?.array.contains { $0["title"] == "La\nmp \u{1B}[2J\" 灯" } == true)
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: script), "script is missing"))
    func aTerminalShowsTheProgress() async throws {
        try await Shop.with { shop in
            let program = try Program.executable("release-server").path
            let outcome = try await Program.wholeOutcome(
                of: ["-qec", "'\(program)' deploy-check '\(shop.store)' --against '\(shop.file)'", "/dev/null"],
                of: Self.script)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("7 of 7 sessions"))
            #expect(outcome.output.contains("7 sessions: 7 ok\r\n"))
        }
    }

    private static let script = "/usr/bin/script"

    /// During a deploy, servers of both releases share a store.
    @Test(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
    func sessionsContinueWhileTheNextReleaseTakesOver() async throws {
        try await Shop.with(store: try await PostgreSQLCluster.shared.makeAddress()) { shop in
            let (shelf, product) = (try #require(shop.sessions["shelf"]), try #require(shop.sessions["product"]))
            try await shop.serve { old in
                try await shop.serve("renamed") { new in
                    // The first release refuses sessions with events that it does not know, and only it does.
                    _ = try await new.inSession(shelf).emit("basket.put", ["product": "rug"])
                    #expect(try await old.inSession(shelf).get("/route").status == 409)
                    #expect(try await new.inSession(shelf).emit("basket.put", ["product": "lamp"]).version == 2)
                    // The next one migrates what the first one has recorded, also meanwhile.
                    #expect(try await new.inSession(product).route().version == 1)
                    #expect(try await old.inSession(product).emit("basket.add", ["product": "rug"]).version == 2)
                    #expect(try await new.inSession(product).emit("basket.put", ["product": "rug"]).version == 3)
                }
            }
            #expect(try await shop.check("renamed", "--against", shop.file).output == "7 sessions: 7 ok\n")
        }
    }

    private func report(_ outcome: Program.Outcome) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(outcome.output.utf8))
    }
}

/// A store with a session at each place of the shop, and the file that the first release recorded of it.
private struct Shop {
    let folder: URL
    let store: String
    /// The ids of the sessions, by their places.
    private(set) var sessions: [String: String] = [:]

    var file: String { folder.appending(path: "shop.places").path }

    static nonisolated(nonsending) func with(
        store: String? = nil, _ body: nonisolated(nonsending) (Shop) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            var shop = Shop(
                folder: folder, store: store ?? "sqlite:\(folder.appending(path: "sessions.sqlite").path)")
            let form: [(String, String?)] = [("add", "lamp"), ("open", nil), ("checkOut", nil)]
            shop.sessions = try await shop.serve { client in
                let typed = try await session(client, form)
                _ = try await client.inSession(typed).emit("basket.enter", ["name": "", "zip": "80"])
                let ordered = try await session(client, form)
                _ = try await client.inSession(ordered).emit("basket.enter", ["name": "Ada", "zip": "8001"])
                return [
                    "shelf": try await session(client, []),
                    "product": try await session(client, [("look", "rug")]),
                    "basket": try await session(client, [("add", "lamp"), ("open", nil)]),
                    "removed": try await session(client, [("add", "lamp"), ("open", nil), ("remove", "lamp")]),
                    "form": try await session(client, form), "typed": typed, "ordered": ordered,
                ]
            }
            let recording = try await shop.check("first", "--record", shop.file)
            #expect(recording.output == "7 sessions: 7 recorded in \(shop.file)\n", "\(recording.errors)")
            try await body(shop)
        }
    }

    /// Begins a session with events, each with a product or nothing, and returns its id.
    static nonisolated(nonsending) func session(
        _ client: SessionClient, _ events: [(name: String, product: String?)]
    ) async throws -> String {
        let id = try #require(try await client.post("/sessions").json["id"]?.string)
        for event in events {
            let payload = event.product.map { ["product": .string($0)] as JSON } ?? [:]
            _ = try await client.inSession(id).emit("basket.\(event.name)", payload)
        }
        return id
    }

    /// Runs the body with a server of a release.
    nonisolated(nonsending) func serve<Result>(
        _ release: String = "first", _ body: nonisolated(nonsending) (SessionClient) async throws -> Result
    ) async throws -> Result {
        try await Program.run(
            ["serve", "--port", "0", "--journal", store], of: "release-server", environment: ["RELEASE": release]
        ) { program in
            let result = try await body(SessionClient(url: try await program.url()))
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
            return result
        }
    }

    nonisolated(nonsending) func check(_ release: String, _ arguments: String...) async throws -> Program.Outcome {
        try await check(release, arguments)
    }

    nonisolated(nonsending) func check(
        _ release: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        try await Program.wholeOutcome(
            of: ["deploy-check", store] + arguments, of: "release-server",
            environment: environment.merging(["RELEASE": release]) { $1 })
    }

    /// The lines of the file.
    func lines() throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
