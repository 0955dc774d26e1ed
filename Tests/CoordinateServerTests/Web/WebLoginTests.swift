import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Web pages of a server with an API key.
@Suite(.racing(configuration: .make(apiKey: "swordfish"))) struct WebLoginTests {
    private func login(_ key: String, next: String = "/app/main/teams") -> WebRequest {
        WebRequest([("key", key), ("next", next)])
    }

    @Test func aPageLeadsToTheLoginAndTheLoginLeadsBack() async throws {
        let answer = try await browser.client.get("/app/main/teams%3Fa=b")
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/app/login?next=/app/main/teams%253Fa%3Db")
        #expect(answer.header("Set-Cookie") == nil)
        let page = try await browser.get("/app/main/teams")
        #expect(page.status == 200)
        #expect(page.heading == "Log in")
        #expect(page.text.contains("value=\"/app/main/teams\""))
        let entered = try await browser.client.request(login("swordfish"), to: "/app/login")
        #expect(entered.status == 303)
        #expect(entered.header("Location") == "/app/main/teams")
        #expect(entered.header("Set-Cookie")?.contains("HttpOnly; SameSite=Strict") == true)
        #expect(try await browser.get("/app/main/teams").heading == "Teams")
    }

    @Test func aWrongKeyIsAPageWithTheForm() async throws {
        let answer = try await browser.client.request(login("cod"), to: "/app/login")
        #expect(answer.status == 401)
        #expect(answer.text.contains("aria-invalid=\"true\""))
        #expect(answer.text.contains("value=\"/app/main/teams\""))
        #expect(!answer.text.contains("cod\""))
        for _ in 0..<10 { _ = try await browser.client.request(login("cod"), to: "/app/login") }
        let last = try await browser.client.request(login("swordfish"), to: "/app/login")
        #expect(last.status == 429)
        #expect(last.header("Retry-After") != nil)
    }

    @Test(
        arguments: [
            "", "app", "//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example",
            "/app\r\nSet-Cookie: a=b", "javascript:alert(1)", " /app", "/app b", "\\/evil.example",
        ])
    func theLoginLeadsToThisServerOnly(next: String) async throws {
        let answer = try await browser.client.request(login("swordfish", next: next), to: "/app/login")
        #expect(answer.header("Location") == "/app")
    }

    @Test func aFormWithoutTheLoginIsRefused() async throws {
        let press = WebRequest([("event", "splash.didFinish"), ("version", "0")])
        let answer = try await browser.client.request(press)
        #expect(answer.status == 401)
        #expect(answer.text.contains("href=\"/app/login?next=/app\""))
    }

    @Test func theKeyInAHeaderIsEnough() async throws {
        let answer = try await browser.client.get("/app", headers: ["Authorization": "Bearer swordfish"])
        #expect(answer.header("Location") == "/app/splash")
    }

    /// An app may have a login of its own.
    @Test(.racing) func withoutAKeyTheAddressIsOneOfTheApp() async throws {
        #expect(try await server.client().get("/app/login").status == 404)
        let answer = try await server.client().request(login("any"), to: "/app/login")
        #expect(answer.header("Location") == "/app/main/teams")
    }
}
