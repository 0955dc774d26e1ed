import CoordinateTesting
import Foundation
import SessionFixtures
import Testing

@testable import CoordinateServer

/// What customers' devices may do with an app on a server that is open to them, and what they may not.
struct ClientAccessTests {
    private static let key = "s3cret/key="
    private let app = ClaimApp()

    /// How a customer's device reaches its session.
    enum Device: CaseIterable {
        /// Without anything, where the server lets clients use the app.
        case anonymous
        /// With a token for the session.
        case token
    }

    /// Runs a body with a customer's device and the operator.
    private func withDevice(
        _ device: Device, _ body: (_ customer: SessionClient, _ operator: SessionClient) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make(apiKey: Self.key)
        configuration.clients = device == .anonymous ? .app : ClientAccess.none
        try await withApp(app, configuration: configuration) { server in
            let keeper = server.client(headers: ["Authorization": "Bearer \(Self.key)"])
            let id = try #require(try await keeper.post("/sessions", json: [:]).json["id"]?.string)
            let own = server.client(headers: ["Authorization": "Bearer \(Self.key)", "Session": id])
            var headers = ["Session": id]
            if device == .token {
                let token = try await keeper.post("/sessions/\(id)/tokens", json: [:]).json["token"]?.string
                headers["Authorization"] = "Bearer \(try #require(token))"
            }
            try await body(server.client(headers: headers), own)
        }
    }

    private func logIn(_ customer: SessionClient) async throws {
        try await customer.emit("claim.enterPhone", ["phone": "0791"])
        try await customer.emit("claim.enterCode", ["code": "4711"])
        #expect(try await customer.emit("claim.confirm").path == "/documents")
    }

    // MARK: The four attacks on the insurance app

    @Test(arguments: Device.allCases) func aJournalCannotBeForged(device: Device) async throws {
        try await withDevice(device) { customer, operators in
            try await logIn(customer)
            let lines = ["Accept": "application/x-ndjson"]
            let refused = try await customer.get("/events", headers: lines)
            #expect(refused.isProblem("operator-only", 403))
            #expect(refused.header("WWW-Authenticate") == "Bearer")
            let forged = String(decoding: try await operators.exportedJournal(), as: UTF8.self)
                .replacing("0791", with: "0666")
            let answer = try await customer.request(
                "POST", "/sessions", headers: ["Content-Type": "application/x-ndjson"], body: Array(forged.utf8))
            #expect(answer.isProblem("operator-only", 403))
            #expect(app.messages.all.allSatisfy { $0.phone == "0791" })
        }
    }

    @Test(arguments: Device.allCases) func thePastCannotBeBroughtBack(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            try await logIn(customer)
            let version = try await customer.emit("claim.logOut").version
            let id = try #require(customer.sessionID)
            for path in [
                "/route?version=3", "/events", "/events?after=2", "/sessions/\(id)/changes?from=0&to=3",
                "/sessions/\(id)/events",
            ] {
                #expect(try await customer.get(path).isProblem("operator-only", 403), "\(path)")
            }
            let fork = try await customer.post("/sessions/\(id)/forks", json: ["version": 3])
            #expect(fork.isProblem("operator-only", 403))
            #expect(try await customer.put("/route", json: ["path": "/documents"]).json["path"] == "/phone")
            // A stream begins with the present, whatever version its client claims to have seen.
            let first = try #require(try await customer.follow(after: version - 2).next())
            #expect(first.event == "reset")
            #expect(try first.route.path == "/phone")
        }
    }

    @Test(arguments: Device.allCases) func onlyWhatTheScreenOffersIsAccepted(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            let screens: [(event: String, payload: JSON)] = [
                ("claim.enterCode", ["code": "4711"]), ("claim.confirm", [:]), ("claim.logOut", [:]),
                ("claim.didSend", [:]), ("claim.didApprove", ["amount": "1000000"]), ("navigation.back", [:]),
                ("navigation.popToRoot", [:]), ("nothing.known", [:]),
            ]
            for (event, payload) in screens {
                let answer = try await customer.post("/events", json: ["event": .string(event), "payload": payload])
                #expect(answer.isProblem("not-offered", 422), "\(event)")
                #expect(try answer.json["offered"] == ["claim.enterPhone"])
            }
            let elsewhere = try await customer.post(
                "/events", json: ["event": "claim.enterPhone", "payload": ["phone": "1"], "at": "ClaimCoordinator"])
            #expect(elsewhere.isProblem("not-offered", 422))
            let leaf = try await customer.route().leaf
            let answer = try await customer.post(
                "/events", json: ["event": "claim.enterPhone", "payload": ["phone": "1"], "at": .string(leaf)])
            #expect(answer.status == 200)
            #expect(try await customer.route().path == "/code")
        }
    }

    @Test(arguments: Device.allCases) func theLockHolds(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            try await customer.emit("claim.enterPhone", ["phone": "0791"])
            let keyed = ["Idempotency-Key": "once"]
            for code in ["1", "2", "3"] {
                let headers = code == "3" ? keyed : [:]
                _ = try await customer.post(
                    "/events", json: ["event": "claim.enterCode", "payload": ["code": .string(code)]], headers: headers)
            }
            #expect(try await customer.route().path == "/locked")
            let answer = try await customer.post(
                "/events", json: ["event": "claim.enterCode", "payload": ["code": "4711"]])
            #expect(answer.isProblem("not-offered", 422))
            // A repetition gets its first answer, though the screen offers nothing any more.
            let again = try await customer.post(
                "/events", json: ["event": "claim.enterCode", "payload": ["code": "3"]], headers: keyed)
            #expect(again.status == 200)
            for path in ["/documents", "/code", "/phone"] {
                #expect(try await customer.put("/route", json: ["path": .string(path)]).json["path"] == "/locked")
            }
        }
    }

    @Test(arguments: Device.allCases) func theKeyOfWorkGrantsNothing(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            try await customer.emit("claim.enterPhone", ["phone": "0791"])
            try await customer.settle()
            let key = try #require(app.messages.all.first?.key)
            let id = try #require(customer.sessionID)
            #expect(!key.contains(id))
            let part = String(key.prefix { $0 != "/" })
            // The holder of a token has the session without it.
            if device == .anonymous { #expect(try await customer.get("/sessions/\(part)/route").status == 404) }
        }
    }

    // MARK: Forms

    @Test func formsAreBoundToTheScreenAsWell() async throws {
        try await withDevice(.anonymous) { customer, _ in
            let browser = WebClient(client: customer)
            let page = try await browser.get("/app")
            let form = WebRequest([
                ("event", "claim.confirm"), ("payload", "{}"), ("version", "0"), ("session", page.mark),
            ])
            let refused = try await customer.request(form)
            #expect(refused.status == 422)
            #expect(try await customer.route().path == "/phone")
            #expect(try await browser.press("Send code", on: page, ["phone": "0791"]).heading == "code")
        }
    }

    /// The address of a former page leads to the present one.
    @Test(arguments: Device.allCases) func aFormerPageIsNotShownAgain(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            try await logIn(customer)
            let browser = WebClient(client: customer)
            let mark = try await browser.get("/app").mark
            let before = try await customer.emit("claim.logOut").version - 1
            #expect(try await browser.get("/app?at=\(before).\(mark)").address == "/app/phone")
            #expect(try await customer.route().path == "/phone")
        }
    }
}
