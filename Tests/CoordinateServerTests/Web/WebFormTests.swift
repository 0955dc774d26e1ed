import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Forms of web pages, with mistakes and without.
@Suite(.racing) struct WebFormTests {
    private static let entries = [
        "name": "Ada", "zip": "8002", "country": "de", "guests": "2", "newsletter": "true", "password": "swordfish",
    ]

    @Test(.serving(FormApp())) func anErrorOfTheAppIsShownAtItsField() async throws {
        let page = try await browser.get("/app")
        let next = try await browser.press("Join", on: page, ["name": "Ada", "zip": "80", "newsletter": "true"])
        #expect(next.status == 200)
        let zip = try #require(next.field("zip"))
        #expect(zip.contains("aria-invalid=\"true\""))
        let error = try #require(zip.first(#/aria-describedby="([^"]*)"/#))
        #expect(next.text.contains("id=\"\(error)\" dir=\"auto\">has four digits</p>"))
        let id = try #require(zip.first(#/id="([^"]*)"/#))
        #expect(next.text.contains("<a href=\"#\(id)\">has four digits</a>"))
        #expect(next.field("newsletter")?.contains("checked") == true)
        // Corrected, the form is accepted.
        let last = try await browser.press("Join", on: next, ["zip": "8003", "newsletter": "false"])
        #expect(last.text.contains(">Invite</button>"))
    }

    @Test(.serving(FormApp())) func anInvalidEntryIsShownAsTyped() async throws {
        let page = try await browser.get("/app")
        var entries = Self.entries
        entries["guests"] = "many"
        entries["name"] = "\"><b>Ada"
        let refused = try await browser.press("Join", on: page, entries)
        #expect(refused.status == 422)
        #expect(refused.headers["cache-control"] == "no-store")
        #expect(try await browser.client.route().version == 0)
        let guests = try #require(refused.field("guests"))
        #expect(guests.contains("value=\"many\""))
        // A field for numbers would show nothing.
        #expect(guests.contains("type=\"text\" inputmode=\"decimal\""))
        #expect(guests.contains("aria-invalid=\"true\""))
        let id = try #require(guests.first(#/id="([^"]*)"/#))
        #expect(refused.text.contains("<a href=\"#\(id)\">Enter a whole number in &quot;Guests&quot;.</a>"))
        #expect(refused.field("name")?.contains("value=\"&quot;&gt;&lt;b&gt;Ada\"") == true)
        #expect(refused.text.contains("value=\"de\" selected"))
        #expect(refused.field("newsletter")?.contains("checked") == true)
        #expect(refused.field("password")?.contains("value=") == false)
        #expect(!refused.text.contains("swordfish"))
        entries["guests"] = "3"
        #expect(try await browser.press("Join", on: refused, entries).status == 200)
    }

    @Test func anAppsOwnAdviceIsShown() async throws {
        let editor = try await browser.get("/app/main/profile/edit")
        for name in ["", String(repeating: "x", count: 81), "a\u{7}"] {
            let refused = try await browser.press("Save", on: editor, ["name": name])
            #expect(refused.status == 422)
            #expect(refused.text.contains(">Enter a name of up to 80 characters.</a>"))
        }
    }

    @Test(arguments: [(1_040_000, 303), (1_100_000, 413)])
    func aFormMayBeLong(size: Int, status: Int) async throws {
        let press = try browser.form("Save", on: try await browser.get("/app/main/profile/edit"))
        let long = WebRequest(body: press.body + "&other=" + String(repeating: "x", count: size))
        let answer = try await browser.client.request(long)
        #expect(answer.status == status)
        #expect(status == 303 || answer.header("Content-Type") == "text/html; charset=utf-8")
        #expect(status == 303 || answer.text.contains("too long"))
    }

    @Test func aFormWithTooManyFieldsGetsAPage() async throws {
        let press = try browser.form("Continue", on: try await browser.get("/app"))
        let answer = try await browser.client.request(
            WebRequest(body: press.body + String(repeating: "&input.a=", count: 1_000)))
        #expect(answer.status == 413)
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    }

    private static let successes: [(button: String, field: String, path: String, isAnnounced: Bool)] = [
        ("Save", "name", "/saved", true),
        // The results are what was wanted.
        ("Search", "words", "/results", false),
        // Some work is not done yet.
        ("Send", "name", "/sent", false), ("Book", "name", "/desk", false),
    ]

    @Test(.serving(DeskApp()), arguments: successes)
    func aFormThatLeadsElsewhereIsAnnouncedOnce(
        button: String, field: String, path: String, isAnnounced: Bool
    ) async throws {
        let page = try await browser.press(button, on: try await browser.get("/app"), [field: "Ada"])
        #expect(page.address == "/app" + path)
        #expect(page.success == (isAnnounced ? "Your entries were accepted." : nil))
        #expect(try await browser.get("/app").success == nil)
    }

    /// A button alone needs no sentence: its screen shows what it did.
    @Test func aButtonIsNotAnnounced() async throws {
        let page = try await browser.press("Continue", on: try await browser.get("/app"))
        #expect(page.address == "/app/main/teams")
        #expect(page.success == nil)
    }

    @Test(.serving(FormApp())) func buttonsOfRowsWork() async throws {
        let page = try await browser.get("/app")
        var next = try await browser.press("Join", on: page, Self.entries)
        next = try await browser.press("+", on: next)
        next = try await browser.press("Set", on: next, ["count": "12"])
        #expect(next.text.contains(">12</span>"))
    }
}
