import Coordinate
import CoordinateSessions
import CoordinateTesting
import Foundation
import Synchronization
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// Creates the pictures of the page for README.md: `make screenshots` runs it.
    ///
    /// They are identical each time, except for the session's id, as long as the page does not change.
    struct PictureTests {
        /// The folder for the pictures.
        private static let folder = ProcessInfo.processInfo.environment["SCREENSHOTS"].map { URL(filePath: $0) }

        /// The largest size of a picture in bytes, because readers download README.md.
        private static let maximumSize = 200 * 1_024

        @Test(.enabled(if: folder != nil, "`make screenshots` sets the folder"))
        func picturesShowThePageInUse() async throws {
            let folder = try #require(Self.folder)
            try await withRacing(clock: .storyTime) { server in
                let client = server.client()
                try await client.emit("splash.didFinish")
                try await client.emit("navigation.selectTab", ["tab": "DriversCoordinator"])
                try await client.emit("drivers.didSelect", ["driver": "norris"])
                try await client.emit("drivers.setFavorite", ["driver": "norris"])
                try await client.emit("navigation.selectTab", ["tab": "TeamsCoordinator"])
                try await client.emit("teams.didSelect", ["team": "ferrari"])
                try await client.emit("teams.setFavorite", ["team": "ferrari"])
                let address = "\(server.url)/#session=\(try #require(client.sessionID))"

                try await withPage(size: (1_280, 800)) { page in
                    try await page.open(address)
                    try await page.wait(until: 7)
                    try await page.waitUntilLive()
                    try await page.wait(for: "#app-name", text: "Racing")
                    for isDark in [false, true] {
                        try await page.prefer(dark: isDark)
                        try await page.waitForPictures(in: client)
                        try await save(page, as: "inspector-\(isDark ? "dark" : "light").png", in: folder)
                    }
                    try await page.prefer()
                    try await page.click("#frames [data-version='3'] .frame-travel")
                    try await page.wait(until: 3)
                    try await page.waitForPictures(in: client)
                    try await save(page, as: "inspector-past.png", in: folder)
                }
                try await withPage(size: (390, 844)) { page in
                    try await page.open(address)
                    try await page.wait(until: 7)
                    try await page.waitUntilLive()
                    try await page.wait(for: "#app-name", text: "Racing")
                    try await save(page, as: "inspector-phone.png", in: folder)
                }
                try await withPage { page in
                    try await page.resize(width: 390, height: 600, scale: 2)
                    try await page.enter(try #require(client.sessionID), of: server.url)
                    try await page.open(server.url + "/app/main/drivers")
                    try await page.wait(for: "h1", text: "Drivers")
                    try await save(page, as: "web-page.png", in: folder)
                }
            }
        }

        private func save(_ page: Page, as name: String, in folder: URL) async throws {
            let picture = try await page.screenshot()
            #expect(picture.count <= Self.maximumSize)
            try picture.write(to: folder.appending(path: name))
        }
    }
}

extension Page {
    /// Waits until the storyboard has a picture of each screen, in the page's colors.
    fileprivate func waitForPictures(in client: SessionClient) async throws {
        try await wait(for: "#storyboard:not([aria-busy])")
        let states = try await client.get("/map").json["states"]?.array ?? []
        let count = Set(states.compactMap { $0["screen"]?.string }).count
        let isThere = """
            document.querySelectorAll("#map img.map-picture").length === given[0]
              && document.querySelector("#map.painting") === null
            """
        try await wait("for the pictures", until: isThere, .int(count))
    }
}

extension SessionClock {
    /// A clock that starts on the same morning each time and advances by seven seconds whenever it is read.
    fileprivate static var storyTime: SessionClock {
        let looks = Atomic(0)
        return SessionClock(
            uptime: SessionClock.system.uptime,
            // 2026-11-21T09:30:00Z
            timestamp: { Timestamp(seconds: 1_795_253_400 + 7 * looks.wrappingAdd(1, ordering: .relaxed).oldValue) })
    }
}
