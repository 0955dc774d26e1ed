@testable import CoordinateTesting

extension TortureClient {
    /// Checks that a session's journal has everything that was acknowledged, in its place and only once.
    ///
    /// - Returns: The last version; `nil` if the session has ended.
    @discardableResult
    mutating func check(_ session: String) async throws -> Int? {
        let history = ledger.history(of: session)
        guard let entries = try await journal(of: session) else {
            ledger.miss(session, by: name)
            return nil
        }
        func violation(_ text: String) { ledger.violation("The journal of \(session) \(text)") }

        if entries.map(\.version) != Array(1..<(entries.count + 1)) {
            violation("has a gap or a double: \(entries.map(\.version))")
        }
        if entries.count < history.newest { violation("ends at \(entries.count), before \(history.newest)") }
        for (version, event) in history.acknowledged where version <= entries.count {
            let entry = entries[version - 1]
            if entry.event != event.name || entry.payload != event.payload {
                violation("has \(entry.event) \(entry.payload) at \(version) instead of \(event.name) \(event.payload)")
            }
        }
        var places: [String: Int] = [:]
        for entry in entries where entry.event == "profile.rename" {
            guard let name = entry.payload["name"]?.string else { continue }
            if let first = places.updateValue(entry.version, forKey: name),
                entry.version - first <= Self.keysRemembered
            {
                violation("has \(name) twice: at \(first) and \(entry.version)")
            }
        }
        for payload in history.refused {
            if let name = payload["name"]?.string, let place = places[name] {
                violation("has \(name) at \(place), which was refused")
            }
        }
        return entries.count
    }

    /// Checks that all servers agree about a session, now that the run is over.
    mutating func compare(_ session: String) async throws {
        let clients = fleet.urls.map { SessionClient(url: $0, headers: [:]) }
        let paths = ["/route", "", "/events?limit=1000"].map { "/sessions/\(session)\($0)" }
        if ledger.history(of: session).hasEnded {
            for client in clients {
                for path in paths {
                    let answer = try await answer(of: client, "GET", path)
                    if answer.status != 404 { report("looking at \(path), which has ended", answer) }
                }
                let answer = try await answer(of: client, "DELETE", "/sessions/\(session)")
                if answer.status != 404 { report("ending \(session) once more", answer) }
            }
            return
        }
        let version = try await check(session)
        var answers: [[ServerAnswer]] = []
        for client in clients {
            let route = try await answer(of: client, "GET", paths[0])
            answers.append([route, try await answer(of: client, "GET", paths[2])])
            let document = try await answer(of: client, "GET", paths[1]).decode(Document.Session.self, status: 200)
            if document.version != version {
                ledger.violation("\(session) is at \(document.version), not \(version ?? -1)")
            }
        }
        for answer in answers {
            if answer[0].status != 200 || answer[0].body != answers[0][0].body
                || answer[0].header("ETag") != answers[0][0].header("ETag") || answer[1].body != answers[0][1].body
            {
                report("servers differ about \(session), the other one saying \(answers[0][0].text)", answer[0])
            }
        }
        for (version, route) in ledger.history(of: session).routes.sorted(by: { $0.key < $1.key }).suffix(3) {
            let (answer, _) = try await ask("GET", "/sessions/\(session)/route?version=\(version)")
            if answer.text != route { report("a stream received something else than \(route)", answer) }
        }
    }

    /// Returns the answer of a given server. Repeats the request while the server cannot reach its store.
    private mutating func answer(of client: SessionClient, _ method: String, _ path: String) async throws
        -> ServerAnswer
    {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let answer = try await client.request(method, path)
            let isToBeRepeated = answer.status == 503 && answer.header("Retry-After") != nil
            guard isToBeRepeated, ContinuousClock.now < deadline else { return answer }
            await pause()
        }
    }
}
