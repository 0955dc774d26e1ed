import CoordinateSessions
import CoordinateTesting
import Testing

@testable import CoordinateServer

/// Sessions whose app has changed.
extension OpenAPIAnswerTests {
    /// One session whose event is unknown now, and one whose event is handled by another coordinator.
    func checkChangedApps(_ check: DescriptionCheck) async throws {
        for edition in [Shelf.Edition.knowsHearts, .likesAtTheBook] {
            let journal = MemoryJournal()
            let session = try await withApp(Shelf.first(), journal: journal) { server in
                let client = server.client()
                try await client.emit("books.didSelect", ["book": "emma"])
                try await client.emit("likes.didLike")
                return try #require(client.sessionID)
            }
            try await withApp(Shelf.second(edition), journal: journal) { server in
                try await checkQuarantine(of: session, check, server.client())
            }
        }
    }

    /// A session whose second event has crashed the process twice in a row, the second time while it was repeated.
    func checkCrashes(_ check: DescriptionCheck) async throws {
        let store = try await Store.Place(.sqlite)
        let session = try await withApp(Shelf.first(), on: store) { server in
            let client = server.client()
            try await client.emit("books.didSelect", ["book": "emma"])
            try await client.emit("likes.didLike")
            return try #require(client.sessionID)
        }
        let journal = try store.open()
        let crash = CrashNote(version: 2, isRepeated: true, event: "likes.didLike", appVersion: Shelf.first().version)
        for _ in 0..<2 { try await journal.record(crash, of: #require(SessionID(session))) }
        journal.close()
        try await withApp(Shelf.first(), on: store) { server in
            try await checkQuarantine(of: session, check, server.client())
        }
    }

    private func checkQuarantine(of session: String, _ check: DescriptionCheck, _ client: SessionClient) async throws {
        // The journal is not asked for a token if there is no key.
        for operation in description.programOperations
        where description.describes(409, of: operation) && !operation.path.hasSuffix("/tokens") {
            let isStream = description.describes(parameter: "Last-Event-ID", of: operation)
            let request = description.example(operation, id: session).with(headers: ["Session": session])
                .with(headers: isStream ? ["Accept": "text/event-stream"] : [:])
            let answer = try await check.send(request, as: client, status: 409)
            #expect(try answer.json["version"] == 2)
        }
        let route = DescribedRequest(.init("GET", "/sessions/{id}/route"), id: session)
        try await check.send(route.with(query: "?version=1"), as: client, status: 200)
        let document = DescribedRequest(.init("GET", "/sessions/{id}"), id: session)
        let answer = try await check.send(document, as: client, status: 200)
        #expect(try answer.json["state"] == "quarantined")
        let events = DescribedRequest(.init("GET", "/sessions/{id}/events"), id: session)
        for headers in [[:], ["Accept": "application/x-ndjson"]] {
            try await check.send(events.with(headers: headers), as: client, status: 200)
        }
        let forks = DescribedRequest(.init("POST", "/sessions/{id}/forks"), id: session)
            .with(headers: ["Content-Type": "application/json"], body: #"{"version": 1}"#)
        try await check.send(forks, as: client, status: 201)
        try await check.send(DescribedRequest(.init("DELETE", "/sessions/{id}"), id: session), as: client, status: 204)
    }
}
