import CoordinateTesting
import Foundation
import Glibc
import SessionFixtures
import Testing

/// The page and the API's description, which every program has and which move with it.
@Suite(.serialized) struct PageTests {
    private static let resources = "coordinate_CoordinateServer.resources"

    private static func shipped(_ name: String) throws -> String {
        try String(contentsOf: Program.shipped.appending(path: "public").appending(path: name), encoding: .utf8)
    }

    /// Checks that an answer is a file of the page.
    private func expect(_ address: String, toBe name: String) async throws {
        let answer = try await SessionClient(url: address).get("")
        let file = try Self.shipped(name)
        #expect(answer.status == 200)
        #expect(answer.text == file, "\(name)")
    }

    private func expect(_ address: String, status: Int = 200, body: String? = nil) async throws {
        let answer = try await SessionClient(url: address).get("")
        #expect(answer.status == status)
        if let body { #expect(answer.text == body) }
    }

    /// Serves the payment app, which has no files of its own, from a folder.
    private func serve(
        _ arguments: [String] = [], program name: String = "payment-server", in folder: URL,
        _ body: (Program, String) async throws -> Void
    ) async throws {
        try await Program.run(
            ["serve", "--port", "0"] + arguments, of: name, environment: ["TILL": folder.path], in: folder
        ) { program in
            try await body(program, try await program.url())
        }
    }

    private func withPublic(_ files: [String: String], _ body: (URL) async throws -> Void) async throws {
        try await withFolder { folder in
            let page = folder.appending(path: "public")
            try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
            for (name, content) in files { try Data(content.utf8).write(to: page.appending(path: name)) }
            try await body(folder)
        }
    }

    /// Even if a file in the working directory is named like the folder of a page.
    @Test func aHostedAppHasThePageWithoutItsOwnFiles() async throws {
        try await withFolder(["public": "mine"]) { folder in
            try await serve(in: folder) { _, url in
                try await expect(url + "/?modules", toBe: "index.html")
                try await expect(url + "/inspector/tree.js", toBe: "inspector/tree.js")
                try await expect(url + "/openapi.json?generic", toBe: "openapi.json")
            }
        }
    }

    @Test func aPageInTheWorkingDirectoryReplacesThePageButNotTheDescription() async throws {
        try await withPublic(["index.html": "mine"]) { folder in
            try await serve(in: folder) { _, url in
                try await expect(url + "/", body: "mine")
                try await expect(url + "/inspector/tree.js", status: 404)
                try await expect(url + "/openapi.json?generic", toBe: "openapi.json")
            }
        }
    }

    @Test func thePageCanBeTurnedOff() async throws {
        try await withPublic(["index.html": "mine"]) { folder in
            try await serve(["--public", ""], in: folder) { _, url in
                try await expect(url + "/", status: 404)
                try await expect(url + "/openapi.json", status: 404)
                try await expect(url + "/livez", status: 200)
            }
        }
    }

    @Test func thePageMovesWithTheProgram() async throws {
        try await withFolder { folder in
            let program = try await moved(to: folder.appending(path: "bin"), withPage: true)
            try await serve(program: program, in: folder) { _, url in
                try await expect(url + "/?modules", toBe: "index.html")
            }
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: program))
            try await serve(program: link.path, in: folder) { _, url in
                try await expect(url + "/openapi.json?generic", toBe: "openapi.json")
            }
        }
    }

    @Test func aProgramMovedWithoutThePageLogsItAndServesTheRest() async throws {
        try await withFolder { folder in
            let path = try await moved(to: folder.appending(path: "bin"), withPage: false)
            let own = folder.appending(path: "public")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try Data("<svg/>".utf8).write(to: own.appending(path: "lamp.svg"))
            try await serve(program: path, in: folder) { program, url in
                for name in ["/", "/openapi.json"] {
                    let answer = try await SessionClient(url: url).get(name)
                    #expect(answer.status == 404)
                    #expect(answer.text.contains("was not installed beside"))
                    #expect(!answer.text.contains(folder.path))
                }
                try await expect(url + "/route", status: 200)
                try await expect(url + "/lamp.svg", body: "<svg/>")
                program.kill(SIGTERM)
                #expect(await program.status() == 0)
                let log = await program.remainingErrors()
                #expect(
                    log.contains(
                        "the folder \(Self.resources) is missing or unreadable beside the program. Copy it there"))
            }
            let description = try await Program.wholeOutcome(of: ["openapi"], of: path, in: folder)
            #expect(description.status == 78)
            #expect(description.output == "")
            #expect(description.errors.contains(Self.resources))
        }
    }

    @Test func theDescriptionIsPrintedAsItIsServed() async throws {
        try await withFolder { folder in
            try await serve(in: folder) { _, url in
                for (arguments, query) in [([], ""), (["--generic"], "?generic")] {
                    let outcome = try await Program.wholeOutcome(
                        of: ["openapi"] + arguments, of: "payment-server", in: folder)
                    #expect(outcome.status == 0)
                    #expect(outcome.errors == "")
                    try await expect(url + "/openapi.json" + query, body: outcome.output)
                }
            }
            let unknown = try await Program.wholeOutcome(of: ["openapi", "x"], of: "payment-server", in: folder)
            #expect(unknown.status == 64)
            let appless = try await Program.wholeOutcome(of: ["openapi"], of: "coordinate-server", in: folder)
            #expect(appless.status == 78)
            #expect(appless.errors.contains("config/racing.json does not exist"))
        }
    }

    /// Copies the payment app's program, and returns its path.
    ///
    /// Another process copies it. A program that is open for writing cannot be started, and processes that other tests
    /// start at this moment would inherit the open file.
    private func moved(to folder: URL, withPage: Bool) async throws -> String {
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = try Program.executable("payment-server")
        let copy = folder.appending(path: "payment")
        #expect(try await Program.wholeOutcome(of: [program.path, copy.path], of: "/bin/cp").status == 0)
        if withPage {
            let page = program.deletingLastPathComponent().appending(path: Self.resources)
            try files.copyItem(at: page, to: folder.appending(path: Self.resources))
        }
        return copy.path
    }
}
