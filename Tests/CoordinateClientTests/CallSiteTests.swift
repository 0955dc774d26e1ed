import Coordinate
import CoordinateClient
import CoordinateTesting
import Racing
import ServerFixtures
import SessionFixtures
import Synchronization
import Testing

/// A failure is reported at the line of the call.
struct CallSiteTests {
    /// A call that fails, and the line that it is in.
    private struct Call: Sendable {
        let line: Int
        let run: @Sendable (SessionClient) async throws -> Void

        init(line: Int = #line, _ run: @escaping @Sendable (SessionClient) async throws -> Void) {
            self.line = line
            self.run = run
        }
    }

    private static let unknown = "0000000000000000000000"

    private static let calls = [
        Call { try await $0.press("Nowhere") },
        Call { try await $0.press("Continue", entering: ["name": 1]) },
        Call { try await $0.emit("unknown.event") },
        Call { try await $0.emit("profile.edit", expecting: .handled) },
        Call { try await $0.emit("profile.edit", expecting: .refused) },
        Call { try await $0.send(NavigationEvents.open("/nowhere")) },
        Call { try await $0.send(NavigationEvents.back, expecting: .handled) },
        Call { try await $0.send(NavigationEvents.back, expecting: .refused) },
        Call { try await $0.press(NavigationEvents.back) },
        Call { try await $0.emit(#require($0.route().screen.actions.first), entering: ["name": 1]) },
        Call { try await $0.emit(#require($0.route().screen.actions.first), expecting: .unhandled) },
        Call { try await $0.open("/nowhere") },
        Call { _ = try await $0.route(at: 9) },
        Call { _ = try await $0.inSession(unknown).route() },
        Call { _ = try await $0.inSession(unknown).session() },
        Call { _ = try await $0.inSession(unknown).journal() },
        Call { _ = try await $0.inSession(unknown).exportedJournal() },
        Call { _ = try await $0.changes(from: 8, to: 9) },
        Call { _ = try await $0.fork(at: 9) },
        Call { try await $0.wait(atMost: .zero) { _ in false } },
        Call { try await $0.inSession(unknown).settle() },
        Call { _ = try await $0.inSession(unknown).follow() },
        Call { _ = try await $0.get("/metrics").json },
        Call { _ = try await $0.get("/livez").decode(JSON.self, status: 201) },
        Call { _ = try await $0.put("/route", json: [:]).decode(Document.Outcome.self, status: 200) },
        Call { _ = try await $0.post("/events", json: [:]).decode(Document.Outcome.self, status: 200) },
        Call { _ = try await $0.post("/events").decode(Document.Outcome.self, status: 200) },
        Call { _ = try await $0.delete("/livez").decode(Document.Outcome.self, status: 200) },
        Call { _ = try await $0.request("PATCH", "/livez").decode(Document.Outcome.self, status: 200) },
    ]

    @Test(arguments: calls)
    private func anErrorNamesItsCallAndATestFailsThere(_ call: Call) async throws {
        try await confirmation(expectedCount: 1) { isRecorded in
            try await withKnownIssue {
                try await withServer(app: RacingApp.make()) { server in
                    let client = server.client()
                    _ = try await client.route()
                    do {
                        try await call.run(client)
                    } catch let error as any ClientError {
                        #expect("\(error)".hasPrefix("CallSiteTests.swift:\(call.line): "))
                        #expect(error.callSite.filePath == #filePath)
                        throw error
                    }
                }
            } matching: { issue in
                isRecorded()
                return issue.sourceLocation?.line == call.line && issue.sourceLocation?.fileID == #fileID
            }
        }
    }

    @Test func aTestOfAServerAtAnAddressFailsAtTheCall() async throws {
        let line = Mutex(0)
        try await withServer(app: RacingApp.make(), over: .socket) { running in
            try await withKnownIssue {
                try await withServer(at: running.url) { server in
                    line.withLock { $0 = #line + 1 }
                    _ = try await server.client().press("Nowhere")
                }
            } matching: { issue in
                issue.sourceLocation?.line == line.withLock { $0 } && issue.sourceLocation?.fileID == #fileID
            }
            try await withServer(at: running.url) { server in
                let client = server.client()
                try await client.press("Continue")
                let failure = await #expect(throws: HostEventFailure.self) {
                    try await server.emit(NavigationEvents.back, into: client)
                }
                #expect(failure?.message.contains("Host events need the server itself.") == true)
            }
        }
    }

    @Test func theHeadlineOfAFailedTestIsTheMessage() async throws {
        try await withKnownIssue {
            try await withServer(app: RacingApp.make()) { server in
                _ = try await server.client().press("Nowhere")
            }
        } matching: { issue in
            "\(issue.kind)".contains(#"No action on /splash has the title "Nowhere". There are: "Continue"."#)
        }
    }

    @Test(.racing) func theServersOwnClientsNameTheCall() async throws {
        var line = #line + 1
        let options = await #expect(throws: UnexpectedAnswer.self) { try await server.client(options: ["no": 1]) }
        #expect(options?.callSite.line == line)
        line = #line + 1
        let journal = await #expect(throws: UnexpectedAnswer.self) { try await server.client(replaying: []) }
        #expect(journal?.callSite.line == line)
    }

    @Test func anErrorOfTheTestItselfIsThrownAsItIs() async throws {
        struct Mistake: Error {}
        await #expect(throws: Mistake.self) {
            try await withServer(app: RacingApp.make()) { _ in throw Mistake() }
        }
    }

    @Test(arguments: [("ShopTests/CartTests.swift", "CartTests.swift:12"), ("", "unknown file:12")])
    func aCallSiteIsReadAsFileAndLine(fileID: String, text: String) {
        #expect("\(CallSite(fileID: fileID, line: 12))" == text)
    }
}
