import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// What customers' devices may do with an app on a server that is open to them, and what they may not.
struct ClientAccessTests {
    private static let key = "s3cret/key="

    /// How a customer's device reaches its session.
    enum Device: CaseIterable {
        /// Without anything, where the server lets clients use the app.
        case anonymous
        /// With a token for the session.
        case token
    }

    /// Runs a body with a customer's device and the operator.
    private func withDevice(
        _ device: Device, app: any CoordinatedApp = GateApp(),
        _ body: (_ customer: SessionClient, _ operator: SessionClient) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.make(apiKey: Self.key)
        configuration.clients = device == .anonymous ? .app : ClientAccess.none
        try await withApp(app, configuration: configuration) { server in
            let keeper = server.client(headers: ["Authorization": "Bearer \(Self.key)"])
            let id = try #require(try await keeper.post("/sessions", json: [:]).json["id"]?.string)
            var headers = ["Session": id]
            if device == .token {
                let token = try await keeper.post("/sessions/\(id)/tokens", json: [:]).json["token"]?.string
                headers["Authorization"] = "Bearer \(try #require(token))"
            }
            try await body(server.client(headers: headers), keeper.inSession(id))
        }
    }

    /// Logs in, opens the orders, and logs out.
    ///
    /// - Returns: The version at the end. The one before it shows the orders.
    private func visitOrders(_ customer: SessionClient) async throws -> Int {
        try await customer.emit("account.logIn")
        #expect(try await customer.emit("orders.open").path == "/orders")
        return try await customer.emit("account.logOut").version
    }

    @Test(arguments: Device.allCases) func aJournalCannotBeForged(device: Device) async throws {
        try await withDevice(device) { customer, operators in
            try await customer.emit("account.logIn")
            let refused = try await customer.get("/events", headers: ["Accept": "application/x-ndjson"])
            #expect(refused.isProblem("operator-only", 403))
            #expect(refused.header("WWW-Authenticate") == "Bearer")
            let answer = try await customer.request(
                "POST", "/sessions", headers: ["Content-Type": "application/x-ndjson"],
                body: try await operators.exportedJournal())
            #expect(answer.isProblem("operator-only", 403))
        }
    }

    @Test(arguments: Device.allCases) func thePastCannotBeBroughtBack(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            let version = try await visitOrders(customer)
            let id = try #require(customer.sessionID)
            for path in [
                "/route?version=\(version - 1)", "/events", "/events?after=2", "/sessions/\(id)/changes?from=0&to=2",
                "/sessions/\(id)/events",
            ] {
                #expect(try await customer.get(path).isProblem("operator-only", 403), "\(path)")
            }
            let fork = try await customer.post("/sessions/\(id)/forks", json: ["version": .int(version - 1)])
            #expect(fork.isProblem("operator-only", 403))
            #expect(try await customer.put("/route", json: ["path": "/orders/17"]).json["path"] == "/login")
            // A stream begins with the present, whatever version its client claims to have seen.
            let first = try #require(try await customer.follow(after: version - 2).next())
            #expect(first.event == "reset")
            #expect(try first.route.path == "/login")
        }
    }

    @Test(arguments: Device.allCases) func onlyWhatTheScreenOffersIsAccepted(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            for event in [
                "account.logOut", "form.save", "navigation.back", "navigation.askGuards", "nothing.known",
            ] as [JSON] {
                let answer = try await customer.post("/events", json: ["event": event])
                #expect(answer.isProblem("not-offered", 422), "\(event)")
                #expect(try answer.json["offered"] == ["orders.open", "form.open", "account.logIn"])
            }
            let logIn: JSON = ["event": "account.logIn"]
            let elsewhere = try await customer.post("/events", json: logIn.with("at", "AppCoordinator"))
            #expect(elsewhere.isProblem("not-offered", 422))
            let leaf = try await customer.route().leaf
            #expect(try await customer.post("/events", json: logIn.with("at", .string(leaf))).status == 200)
            #expect(try await customer.emit("orders.open").path == "/orders")
        }
    }

    @Test func theFirstEventIsBoundToTheScreenAsWell() async throws {
        var configuration = ServerConfiguration.make(apiKey: Self.key)
        configuration.clients = .app
        try await withApp(GateApp(), configuration: configuration) { server in
            let answer = try await server.client().post("/events", json: ["event": "account.logOut"])
            #expect(answer.isProblem("not-offered", 422))
        }
    }

    /// A repetition gets its first answer, though the screen offers nothing like it any more.
    @Test(arguments: Device.allCases) func whatIsDoneIsNotOfferedAgain(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            let (logIn, keyed): (JSON, [String: String]) = (["event": "account.logIn"], ["Idempotency-Key": "once"])
            let answer = try await customer.post("/events", json: logIn, headers: keyed)
            #expect(answer.status == 200)
            #expect(try await customer.post("/events", json: logIn).isProblem("not-offered", 422))
            #expect(try await customer.post("/events", json: logIn, headers: keyed).body == answer.body)
        }
    }

    @Test(arguments: Device.allCases) func theKeyOfWorkGrantsNothing(device: Device) async throws {
        let world = World()
        try await withDevice(device, app: WorkApp(world)) { customer, operators in
            try await operators.emit("work.ask", ["name": "pay"])
            let key = await world.call(0).key
            #expect(!key.contains(try #require(customer.sessionID)))
            let part = String(key.prefix { $0 != "/" })
            // The holder of a token has the session without it.
            if device == .anonymous { #expect(try await customer.get("/sessions/\(part)/route").status == 404) }
            world.finish("pay")
        }
    }

    @Test func formsAreBoundToTheScreenAsWell() async throws {
        try await withDevice(.anonymous) { customer, _ in
            let browser = WebClient(client: customer)
            let page = try await browser.get("/app")
            let form = WebRequest([
                ("event", "account.logOut"), ("payload", "{}"), ("version", "0"), ("session", page.mark),
            ])
            #expect(try await customer.request(form).status == 422)
            #expect(try await customer.route().version == 0)
            #expect(try await browser.press("Edit note", on: page).heading == "Note")
        }
    }

    /// The address of a former page leads to the present one.
    @Test(arguments: Device.allCases) func aFormerPageIsNotShownAgain(device: Device) async throws {
        try await withDevice(device) { customer, _ in
            let former = try await visitOrders(customer) - 1
            let browser = WebClient(client: customer)
            let mark = try await browser.get("/app").mark
            #expect(try await browser.get("/app?at=\(former).\(mark)").address == "/app/login")
            #expect(try await customer.route().path == "/login")
        }
    }
}
