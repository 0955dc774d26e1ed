import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The strip of frames below the app. `Tests/page/timeline.test.js` has its columns and its pictures.
    struct TimelineTests {
        @Test func theKeysTravelAndTheFocusStaysInTheTimeline() async throws {
            try await withThreeEvents { page, _ in
                let focused = "document.activeElement.closest('.frame')?.dataset.version === given[0]"
                try await page.tab(to: ".frame-travel")
                try await page.press(.left)
                try await page.wait(until: 2)
                try await page.press(.left)
                try await page.press(.left)
                try await page.wait(until: 0)
                try await page.press(.left)
                #expect(try await page.evaluate("return \(focused.replacing("given", with: "arguments"))", "0") == true)
                try await page.press(.end)
                try await page.wait(until: 3)
                try await page.press(.home)
                try await page.wait(until: 0)
                // Tab leads to the frame's tools, and then to the buttons of the past.
                try await page.press(.tab)
                #expect(try await page.evaluate("return document.activeElement.title") == "Edit and replay")
                try await page.tab(to: "#now")
                try await page.press(.enter)
                try await page.wait(until: 3)
                try await page.wait("for the focus", until: focused, "3")
                try await page.press(.left)
                try await page.wait(until: 2)
                try await page.press(.escape)
                try await page.wait(until: 3)
                try await page.wait("for the focus", until: focused, "3")
            }
        }

        @Test func onlyTheFramesInSightExist() async throws {
            try await withInspector { page, server in
                let client = server.client(headers: ["Session": try await page.session()])
                for _ in 0..<2_000 { try await client.emit("navigation.back") }
                try await page.reload(until: 2_000)
                let count = "document.querySelectorAll('#timeline *').length"
                let newest = "seen(\"#frames [data-version='2000'] [aria-current]\", null)[0]?.getBoundingClientRect()"
                try await page.wait("for the newest frame", until: "\(newest)?.right <= innerWidth")
                #expect(try await page.evaluate("return \(count)").int ?? 9_999 < 2_000)
                // It follows new events.
                try await client.emit("navigation.back")
                try await page.wait(
                    "for the new frame",
                    until: "\(newest.replacing("2000", with: "2001"))?.right <= innerWidth")
                // Older entries are read for the frames in sight.
                let scroll = "document.querySelector('#strip').scrollLeft = arguments[0]"
                for place in [100_000, 50_000, 0] {
                    try await page.evaluate(scroll, .int(place))
                    try await page.wait(
                        "for names", until: "\(place > 0) || seen(\"[data-version='1'][data-event]\", null)[0]")
                    #expect(try await page.evaluate("return \(count)").int ?? 9_999 < 2_000)
                }
                // While the user looks at the past, it stays where it is.
                try await page.travel(to: 3)
                try await client.emit("navigation.back")
                try await page.wait(for: "#past-version", text: "Step 3 of 2002")
                #expect(try await page.evaluate("return document.querySelector('#strip').scrollLeft") == 0)
                try await page.click("#now")
                try await page.wait("for the newest frame", until: "\(newest.replacing("2000", with: "2002"))")
            }
        }
    }
}
