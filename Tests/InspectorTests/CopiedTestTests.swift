import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing
import WebDriver

extension RacingApp {
    /// The app as the copied tests make it.
    init() throws {
        self = try .make()
    }
}

extension Inspector {
    /// *Copy as Swift test*: what is copied are the files of `Copied/`, which are compiled and run as they are.
    struct CopiedTestTests {
        private func copy(_ page: Page) async throws -> String {
            try await page.copied {
                try await page.click("#journal-more")
                try await page.click("#copy-swift")
            }
        }

        /// A file of `Copied/`, or the new one in its place where `COPIED_TESTS` is set.
        private func expect(_ copied: String, toBe name: String) throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Copied")
            let file = folder.appending(path: name)
            if ProcessInfo.processInfo.environment["COPIED_TESTS"] != nil {
                try copied.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(try withoutChance(copied) == withoutChance(String(contentsOf: file, encoding: .utf8)))
        }

        /// Times and seeds are others in every session.
        private func withoutChance(_ text: String) throws -> String {
            text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "now").replacing(/"seed":"?[^,"]*"?/, with: "seed")
        }

        @Test func aSessionOfClientsEventsIsEmittedAgain() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("splash.didFinish")
                try await client.emit("teams.didSelect", ["team": "ferrari"])
                try await client.emit("navigation.dismiss")
                try await client.open("/main/profile/edit")
                try await client.emit("profile.rename", ["name": #"Zoë "O'Neill" \(1) \n"#])
                try await page.wait(until: 5)
                try expect(try await copy(page), toBe: "ProfileTest.swift")
                // At an earlier version, it is what led there.
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                try expect(try await copy(page), toBe: "TeamsTest.swift")
            }
        }

        @Test func aSessionWithEventsOfTheAppIsReplayed() async throws {
            try await withInspector { page, server in
                let client = try await server.client(
                    options: ["liveResults": true], at: "/main/drivers/driver/leclerc")
                try await client.settle()
                try await page.evaluate(
                    "location.hash = `#session=${arguments[0]}`", .string(try #require(client.sessionID)))
                try await page.wait(until: 2)
                try expect(try await copy(page), toBe: "ResultsTest.swift")
            }
        }

        private static let literals: [(JSON, String)] = [
            (["a": [1, 2.5, true, .null, [:], []]], #"["a": [1, 2.5, true, .null, [:], []]]"#),
            (["q\"\\": "\n\t\u{1}\u{2028}é🏁"], #"["q\"\\": "\n\t\u{1}\u{2028}é🏁"]"#),
            (.double(1e21), ".double(1e+21)"), (.int(-3), "-3"),
        ]

        @Test func valuesAreLiteralsOfTheirKind() async throws {
            try await withInspector { page, _ in
                let written = try await page.ask(
                    "/inspector/journal/swift.js", "given[0].map(module.literal)", .array(Self.literals.map(\.0)))
                #expect(written == .array(Self.literals.map { .string($0.1) }))
            }
        }
    }
}
