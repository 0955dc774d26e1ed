import CoordinateTesting
import Foundation
import Testing
import WebDriver

extension Inspector {
    /// Work under way and timers, as long as they are.
    struct PendingTests {
        private static let teams = "AppCoordinator/MainCoordinator/TeamsCoordinator"

        private static func work(_ name: String) -> JSON {
            [
                "id": "1-1", "name": .string(name), "kind": "work", "at": .string("\(teams)/TeamsListCoordinator"),
                "due": .null,
            ]
        }

        private static func timer(_ name: String, due: Date) -> JSON {
            [
                "id": "1-2", "name": .string(name), "kind": "timer", "at": .string(teams),
                "due": .string(due.ISO8601Format()),
            ]
        }

        /// A page in which work is under way at version 1, and a timer set until after version 2.
        private func withPending(
            due: Date = Date(timeIntervalSinceNow: 300), size: (width: Int, height: Int) = (1_440, 900),
            _ body: (Page) async throws -> Void
        ) async throws {
            let timer = Self.timer("offer", due: due)
            let amendments: JSON = [
                "routes": ["1": ["pending": [Self.work("prices"), timer]], "2": ["pending": [timer]]]
            ]
            try await withInspector(size: size, amending: amendments) { page, _ in
                #expect(try await page.texts("#pending").isEmpty)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await body(page)
            }
        }

        @Test func workUnderWayIsNamedWithItsCoordinator() async throws {
            try await withPending { page in
                #expect(try await page.texts("[data-kind=work]") == ["prices TeamsListCoordinator under way"])
                #expect(try await page.texts("#pending-heading") == ["Pending"])
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                #expect(try await page.texts("#pending .pending-name") == ["offer"])
                try await page.press("#back", version: 3)
                #expect(try await page.texts("#pending").isEmpty)
            }
        }

        @Test func aTimerCountsDown() async throws {
            try await withPending { page in
                let first = try await page.texts("[data-kind=timer] [role=timer]")[0]
                #expect(first.hasPrefix("in 4 min ") || first == "in 5 min 0 s")
                try await page.wait(
                    "for the next second", until: "seen('[role=timer]', null).map(said)[0] !== given[0]", .string(first)
                )
            }
        }

        @Test(arguments: [
            (-1, "due now"), (7_500, "in 2 h 4 min "), (180_000, "in 2 d 1 h 59 min"),
        ])
        func whatIsLeftIsSaidInUnitsThatFit(seconds: Double, text: String) async throws {
            try await withPending(due: Date(timeIntervalSinceNow: seconds)) { page in
                let left = try await page.texts("[role=timer]")[0]
                #expect(left.hasPrefix(text))
            }
        }

        @Test func theCountdownIsNotAnnounced() async throws {
            try await withPending { page in
                let isSpoken =
                    "return document.querySelector('[role=timer]').closest('[aria-live],[role=status],[role=alert]')"
                #expect(try await page.evaluate(isSpoken) == .null)
                let announced = { try await page.evaluate("return document.querySelector('#announcer').textContent") }
                let before = try await announced()
                #expect(before.string?.hasSuffix("Pending: prices, offer.") == true)
                let left = try await page.texts("[role=timer]")[0]
                try await page.wait(
                    "for the next second", until: "seen('[role=timer]', null).map(said)[0] !== given[0]", .string(left))
                #expect(try await announced() == before)
            }
        }

        @Test func inThePastATimerSaysWhenItWasDue() async throws {
            let day = Date(timeIntervalSince1970: 1_795_255_200)
            try await withPending(due: day) { page in
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.press("#back", version: 3)
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(for: "body.in-past")
                #expect(try await page.texts("#pending-heading") == ["Pending then"])
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["was under way"])
                let due = try await page.texts("[data-kind=timer] .pending-state")[0]
                #expect(due.hasPrefix("due ") && due.hasSuffix("10:00:00"))
                #expect(try await page.texts("[role=timer]").isEmpty)
                try await page.click("#now")
                try await page.wait(untilGone: "#pending")
            }
        }

        @Test(arguments: [true, false])
        func whatIsUnderWayMovesForThoseWhoWantIt(motion: Bool) async throws {
            try await withPending { page in
                try await page.prefer(motion: motion)
                let moves = "return document.getAnimations().some(({ effect }) => effect.target.matches('.activity'))"
                #expect(try await page.evaluate(moves) == .bool(motion))
            }
        }

        @Test func aSessionThatHasEndedWaitsForNothing() async throws {
            try await withPending { page in
                try await page.waitUntilLive()
                try await page.click("#connection")
                try await page.click("#session-end")
                try await page.wait(for: "#ended")
                #expect(try await page.texts("#pending").isEmpty)
            }
        }

        @Test(arguments: [(360, 740), (1_024, 700), (1_280, 800)])
        func whatIsPendingFits(width: Int, height: Int) async throws {
            try await withPending(size: (width, height)) { page in
                if width < 768 {
                    #expect(try await page.texts("#show-tree") == ["Tree 2 pending"])
                    try await page.click("#show-tree")
                }
                #expect(try await page.texts("#pending .pending-name") == ["prices", "offer"])
                let overflow = "return document.documentElement.scrollWidth - innerWidth"
                #expect(try await page.evaluate(overflow).int ?? 1 <= 0)
            }
        }
    }
}
