import CoordinateTesting

extension TortureClient {
    /// Acts as users of the basket do, in some sessions and in new ones, until the run is over.
    mutating func shop(in sessions: [String], _ places: SeenPlaces) async throws {
        var sessions = sessions
        while !ledger.isOver {
            if sessions.isEmpty || chance(1, of: 20) { sessions.append(try await begin()) }
            guard let session = sessions.randomElement(using: &generator) else { continue }
            try await act(in: session, places)
        }
    }

    /// Does one thing that a session offers.
    ///
    /// While servers of two releases run, a server may refuse a session that has an event of the other release, and does
    /// not know an event that only the other one offers.
    mutating func act(in session: String, _ places: SeenPlaces) async throws {
        let newest = ledger.history(of: session).newest
        let (answer, _) = try await ask("GET", "/sessions/\(session)/route")
        guard answer.status != 409 else { return refuse(answer, "looking") }
        let route = try answer.decode(Document.Route.self, status: 200)
        ledger.see(route.version, of: session, atLeast: newest, by: name)
        places.record(route)
        guard let action = route.offeredActions.randomElement(using: &generator) else { return }
        let payload = JSON.object(action.payload.object.merging(entries(of: action)) { $1 })
        let event = TortureLedger.Event(name: action.event, payload: payload)
        let (outcome, _) = try await ask(
            "POST", "/sessions/\(session)/events", headers: ["Idempotency-Key": "key-\(ledger.nextNumber())"],
            json: ["event": .string(event.name), "payload": payload])
        guard outcome.status == 200 else { return refuse(outcome, "sending \(event.name)") }
        let accepted = try outcome.decode(Document.Outcome.self)
        ledger.acknowledge(event, at: accepted.version, of: session)
        if let route = accepted.route { places.record(route) }
    }

    /// What a user enters into the fields of a form: an order that is complete half of the time.
    private mutating func entries(of action: Document.Action) -> [String: JSON] {
        let zip: JSON = chance(1, of: 2) ? "8001" : "80"
        let entries: [String: JSON] = ["name": "Ada", "zip": zip, "phone": "044"]
        return entries.filter { field, _ in action.inputs.contains { $0.field == field } }
    }

    private func refuse(_ answer: ServerAnswer, _ what: String) {
        ledger.count(.conflicts)
        let problem = try? answer.decode(Document.Problem.self).type
        guard let problem, ["/problems/app-changed", "/problems/unknown-event"].contains(problem) else {
            return report(what, answer)
        }
    }
}
