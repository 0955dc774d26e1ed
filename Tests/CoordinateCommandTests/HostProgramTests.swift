import ArgumentParser
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateServer
import CoordinateSessions
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import CoordinateCommand

/// The command line of programs that host other apps or have other stores than `coordinate-server`.
struct HostProgramTests {
    /// A program without app data.
    private static func host(_ journals: [JournalProvider], data: AppData? = nil) -> HostProgram {
        HostProgram(
            name: "shop", version: "1.2", title: "the Shop app", stores: Stores(journals), hooks: SessionHooks(),
            didStart: { _ in },
            source: .data(data ?? .file("shop.json", help: "The wares")) { RacingApp(season: try $0.decode()) })
    }

    /// The output and exit status for wrong arguments or `--help`.
    private func answer(_ host: HostProgram, _ arguments: [String]) -> (status: Int32, text: String) {
        HostProgram.$current.withValue(host) {
            do {
                var command = try RootCommand.parseAsRoot(arguments)
                // Help is a command of the parser itself.
                if !(command is any AsyncParsableCommand) { try command.run() }
                return (0, "")
            } catch {
                return (
                    RootCommand.exitCode(for: error).rawValue, RootCommand.fullMessage(for: error, columns: 1_000)
                )
            }
        }
    }

    // MARK: Help texts

    @Test func helpNamesTheProgramAndTheApp() {
        let help = answer(Self.host([]), ["--help"])
        #expect(help.status == 0)
        #expect(help.text.contains("USAGE: shop <subcommand>"))
        #expect(help.text.contains("Try it: shop serve"))
        #expect(help.text.contains("Serves the Shop app."))
        #expect(help.text.contains("Replays exported journals of the Shop app and compares."))
        #expect(answer(Self.host([]), ["--version"]).text == "1.2")
    }

    @Test(arguments: ["serve", "replay", "export"])
    func theDataOptionExistsIfTheAppHasData(command: String) throws {
        let host = Self.host([], data: .file("config/shop.json", help: "The shop's wares"))
        let line = "The shop's wares (default: config/shop.json; COORDINATE_APP_DATA)."
        #expect(answer(host, [command, "--help"]).text.contains("--app-data <file>"))
        #expect(answer(host, [command, "--help"]).text.contains(line))
        let other = HostProgram(
            name: "shop", version: "1.2", title: "the Shop app", stores: Stores([]), hooks: SessionHooks(),
            didStart: { _ in }, source: .app(try RacingApp.make()))
        let without = answer(other, [command, "--help"]).text
        #expect(!without.contains("app-data"))
        #expect(without.contains("--config <file>"))
        #expect(!without.contains("APP_DATA"))
        let refusal = answer(other, ["serve", "--app-data", "x"])
        #expect(refusal.status == 64)
        #expect(refusal.text.contains("Unknown option '--app-data'"))
    }

    // MARK: Stores

    private static let stores: [(journals: [JournalProvider], serve: String, export: String, replay: String)] = [
        (
            [], "Where sessions are kept: memory (default", "The store. This program has no readable store.",
            "Exported journals, or folders (every .ndjson file in them)."
        ),
        ([.sqlite], "memory or sqlite:PATH (default", "The store: sqlite:PATH (C", "or stores: sqlite:PATH."),
        (
            [.sqlite, .postgreSQL], "memory, sqlite:PATH, or postgres://USER@HOST[,HOST]/DATABASE (default",
            "The store: sqlite:PATH, postgres://… (C",
            "or stores: sqlite:PATH, postgres://…."
        ),
    ]

    @Test(arguments: stores.indices)
    func helpNamesTheLinkedStoresOnly(index: Int) {
        let (journals, serve, export, replay) = Self.stores[index]
        let host = Self.host(journals)
        for (command, line) in [("serve", serve), ("export", export), ("replay", replay)] {
            let help = answer(host, [command, "--help"]).text
            #expect(help.contains(line))
            for provider in [JournalProvider.sqlite, .postgreSQL] {
                let isThere = journals.contains { $0.form == provider.form }
                let scheme = String(provider.form.prefix { $0 != ":" })
                #expect(help.contains(scheme) == isThere, "\(command) \(scheme)")
            }
        }
    }

    private static let unlinked: [(journals: [JournalProvider], address: String, message: String)] = [
        ([], "sqlite:x.sqlite", "it is built without CoordinateSQLite. It has: memory."),
        ([], "postgres://u:secret@h/d", "it is built without CoordinatePostgreSQL. It has: memory."),
        (
            [.sqlite], "postgresql://u:secret@h/d",
            "it is built without CoordinatePostgreSQL. It has: memory or sqlite:PATH."
        ),
        ([.sqlite], "papyrus:scroll", "The journal \"papyrus\" is unknown. It is one of: memory or sqlite:PATH."),
    ]

    @Test(arguments: unlinked.indices)
    func anAddressOfAnUnlinkedStoreIsRefusedWithItsProduct(index: Int) {
        let (journals, address, message) = Self.unlinked[index]
        let refusal = answer(Self.host(journals), ["serve", "--journal", address])
        #expect(refusal.status == 64)
        #expect(refusal.text.contains(message), "\(refusal.text)")
        #expect(!refusal.text.contains("secret"))
    }

    @Test func aProgramMayHaveItsOwnStore() throws {
        let own = JournalProvider(.path(scheme: "papyrus")) { path throws(JournalOpeningError) in
            guard path == "scroll" else { throw .unreachable(path) }
            return MemoryJournal()
        }
        let stores = Stores([own])
        try stores.address("papyrus:scroll").open().close()
        #expect(throws: JournalOpeningError.unreachable("x")) { try stores.address("papyrus:x").open() }
        #expect {
            try stores.address("papyrus:scroll").openForReading()
        } throws: { error in
            (error as? JournalOpeningError)?.description
                == "A journal in papyrus:PATH is always empty. This program has no other journal."
        }
        #expect {
            try Stores([.sqlite]).address("memory").openForReading()
        } throws: { error in
            (error as? JournalOpeningError)?.description
                == "A journal in memory is always empty. Name a store: sqlite:PATH."
        }
    }

    @Test(arguments: [
        ("memory", "memory"), ("sqlite:x", "sqlite:PATH"), ("postgres://", "postgres://USER@HOST[,HOST]/DATABASE"),
        ("sqlite:", nil), ("postgres:", nil), ("memory:", nil), ("", nil), ("Memory", nil), ("sqlite", nil),
    ])
    func anAddressBelongsToOneKindOfJournal(address: String, form: String?) {
        let accepting = [JournalProvider.memory, .sqlite, .postgreSQL].filter { $0.accepts(address) }
        #expect(accepting.map(\.form) == (form.map { [$0] } ?? []))
    }

    // MARK: App data

    @Test func anErrorWhenCreatingTheAppNamesTheFile() async throws {
        struct TooSmall: Error, CustomStringConvertible {
            let description = "there is one team only."
        }
        let host = HostProgram(
            name: "shop", version: "", title: "the app", stores: Stores([]), hooks: SessionHooks(), didStart: { _ in },
            source: .data(.file("default.json", help: "")) { _ in throw TooSmall() })
        #expect(throws: ServerError.configuration("The app data x.json is not valid: there is one team only.")) {
            try host.makeApp(data: "x.json")
        }
        #expect(throws: ServerError.configuration("The app data default.json is not valid: there is one team only.")) {
            try host.makeApp(data: nil)
        }
    }

    @Test func anAppWithoutDataIgnoresTheDataOfOthers() async throws {
        try await withFolder(["server.json": #"{"appData": "x.json", "port": 0}"#]) { folder in
            let path = folder.appending(path: "server.json").path
            #expect(try await Settings(of: Self.host([]), file: path, options: [:]).appData == "x.json")
            let without = HostProgram(
                name: "shop", version: "", title: "", stores: Stores([]), hooks: SessionHooks(), didStart: { _ in },
                source: .app(try RacingApp.make()))
            let settings = try await Settings(of: without, file: path, options: [:])
            #expect(settings.appData == nil && settings.server.port == 0)
        }
    }
}
