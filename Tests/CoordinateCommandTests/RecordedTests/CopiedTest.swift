import CoordinateTesting
import SessionFixtures
import Testing

/// Recorded in Kiosk 1.0: 13 events, up to /kiosk/written%209007199254740993.
@Test func leadsToKioskWritten209007199254740993() async throws {
    // Create the app as its program does.
    try await withServer(app: KioskApp()) { server in
        // The session begins as the recorded one. Its work is withheld: the test posts the outcomes.
        let beginning: JSON = [
            "journal": 2,
            "app": "Kiosk",
            "appVersion": "1.0",
            "options": [:],
            "createdAt": "2026-11-29T13:30:06Z",
            "seed": 1_162_421_653_985_451,
            "path": "/kiosk/start",
            "reference": "jX28iUKlF7SwulSi_Mm8QA",
        ]
        let client = try await server.client(replaying: beginning.encoded, work: .withheld)
        let start = try await client.route()
        #expect(start.path == "/kiosk/start")
        let outcome1 = try await client.press("Draw")
        #expect(outcome1.path == "/kiosk/drawn%20312846")
        let outcome2 = try await client.press("Add", inRow: "soup")
        #expect(outcome2.path == "/kiosk/1%20soup")
        let outcome3 = try await client.press("Add", inRow: "bread", entering: ["count": 3])
        #expect(outcome3.path == "/kiosk/3%20bread")
        // The journal has no secrets: "secret" stands for password.
        let outcome4 = try await client.press("Log in", entering: ["user": "anna", "password": "secret"])
        #expect(outcome4.path == "/kiosk/login")
        let outcome5 = try await client.emit("kiosk.didLogIn", ["user": "anna"], pending: "4-1")
        #expect(outcome5.handledBy == "KioskCoordinator")
        #expect(outcome5.path == "/kiosk/user%20anna")
        let outcome6 = try await client.emit("kiosk.ignore")
        #expect(outcome6.handledBy == nil)
        #expect(outcome6.path == "/kiosk/user%20anna")
        let outcome7 = try await client.press("Reset")
        #expect(outcome7.path == "/kiosk/user%20anna")
        let outcome8 = try await client.press("Yes")
        #expect(outcome8.path == "/kiosk/reset%20yes")
        let outcome9 = try await client.press(
            "it's '́ \"quoted\" ''' \"\"\" # \\#(x) \"# \\n $HOME `id` $(id) %s\n\r\t\u{0} \u{2028} é 🏁 {x} EOF\n",
            entering: [
                "text":
                    "it's '́ \"quoted\" ''' \"\"\" # \\#(x) \"# \\n $HOME `id` $(id) %s\n\r\t\u{0} \u{2028} é 🏁 {x} EOF\n"
            ]
        )
        #expect(outcome9.path == "/kiosk/written%201")
        let outcome10 = try await client.emit(
            "kiosk.add",
            [
                "count": 2,
                "dish":
                    "it's '́ \"quoted\" ''' \"\"\" # \\#(x) \"# \\n $HOME `id` $(id) %s\n\r\t\u{0} \u{2028} é 🏁 {x} EOF\n",
            ]
        )
        #expect(outcome10.handledBy == "KioskCoordinator")
        #expect(
            outcome10.path
                == "/kiosk/2%20it%27s%20%27%CC%81%20%22quoted%22%20%27%27%27%20%22%22%22%20%23%20%5C%23%28x%29%20%22%23%20%5Cn%20%24HOME%20%60id%60%20%24%28id%29%20%25s%0A%0D%09%00%20%E2%80%A8%20%C3%A9%20%F0%9F%8F%81%20%7Bx%7D%20EOF%0A"
        )
        let outcome11 = try await client.post(
            "/events",
            json: ["event": "kiosk.didCall", "payload": ["number": 7], "origin": "host"]
        ).decode(Document.Outcome.self, status: 200)
        #expect(outcome11.handledBy == "KioskCoordinator")
        #expect(outcome11.path == "/kiosk/called%207")
        let outcome12 = try await client.open("/kiosk/9007199254740993")
        #expect(outcome12.handledBy == "KioskCoordinator")
        #expect(outcome12.path == "/kiosk/9007199254740993")
        let outcome13 = try await client.press(
            "it's '́ \"quoted\" ''' \"\"\" # \\#(x) \"# \\n $HOME `id` $(id) %s\n\r\t\u{0} \u{2028} é 🏁 {x} EOF\n",
            entering: ["serial": 9_007_199_254_740_993]
        )
        #expect(outcome13.path == "/kiosk/written%209007199254740993")
    }
}
