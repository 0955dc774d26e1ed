import CoordinateSessions
import CoordinateTesting
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Following a session again, with the last version that the client has seen in `Last-Event-ID`.
@Suite(.racing) struct CatchUpTests {
    @Test(arguments: 0...4) func aReturningClientGetsTheMissedVersions(version: Int) async throws {
        try await client.showTeam()
        try await client.emit("teams.setFavorite", ["team": "ferrari"])
        try await client.emit("navigation.back")
        let stream = try await client.follow(after: version)
        try await client.emit("navigation.selectTab", ["tab": "ProfileCoordinator"])
        for version in (version + 1)...5 {
            let route = try await client.get("/route?version=\(version)")
            try #require(await stream.next() == .init(id: version, event: "route", data: route.text))
        }
        try await client.start()
        #expect(await stream.next()?.id == 6)
    }

    @Test(arguments: ["4", "99", "-1", "x", "1.5", "99999999999999999999", "\"1\"", ""])
    func anInvalidLastEventIDStartsAnew(lastSeen: String) async throws {
        try await client.showTeam()
        try await client.emit("navigation.back")
        let stream = try await client.follow(headers: ["Last-Event-ID": lastSeen])
        let route = try await client.get("/route")
        #expect(await stream.next() == .init(id: 3, event: "reset", data: route.text))
        try await client.emit("navigation.back")
        let message = try #require(await stream.next())
        #expect(message.id == 4)
        #expect(message.event == "route")
    }

    @Test(.serving(TestApp())) func aClientFarBehindStartsAnew() async throws {
        let last = StreamFollower.longestCatchUp + 3
        for _ in 1...last { try await client.emit("navigation.back") }
        let behind = try await client.follow(after: 3)
        for version in 4...last { try #require(await behind.next()?.id == version) }
        let farBehind = try await client.follow(after: 2)
        let reset = try #require(await farBehind.next())
        #expect(reset.event == "reset")
        #expect(reset.id == last)
        let route = try await client.route()
        #expect(try reset.route == route)
        try await client.emit("test.push", ["number": 1])
        for stream in [behind, farBehind] {
            let message = try #require(await stream.next())
            #expect(message.id == last + 1)
            #expect(message.event == "route")
        }
    }

    @Test(.serving(TestApp())) func tooManyMissedBytesStartTheStreamAnew() async throws {
        // A deep stack gives a long document.
        let last = 150
        var size = 0
        for number in 1...last {
            try await client.emit("test.push", ["number": .int(number)])
            size += try await client.get("/route").body.count
        }
        try #require(size > StreamFollower.largestCatchUp)
        let reset = try #require(await client.follow(after: 0).next())
        #expect(reset.event == "reset")
        #expect(reset.id == last)
        let stream = try await client.follow(after: last - 10)
        for version in (last - 9)...last {
            let message = try #require(await stream.next())
            #expect(message.event == "route")
            #expect(message.id == version)
        }
    }

    @Test func anUnreadableJournalIsReported() async throws {
        let journal = FaultyJournal()
        try await withClient(of: TestApp(), journal: journal) { client in
            for _ in 1...3 { try await client.emit("navigation.back") }
            journal.fail(with: .unavailable)
            let error = await #expect(throws: UnexpectedAnswer.self) { _ = try await client.follow(after: 1) }
            #expect(error?.answer.isProblem("journal-unavailable", 503) == true)
            journal.fail(with: nil)
            #expect(try await client.follow(after: 1).next()?.id == 2)
        }
    }

    @Test func aNewSessionHasNoMissedVersions() async throws {
        for (version, event, id) in [(0, "route", 1), (3, "reset", 0)] {
            let client = server.client()
            let stream = try await client.follow(after: version)
            try await client.start()
            let message = try #require(await stream.next())
            #expect(message.event == event)
            #expect(message.id == id)
        }
    }

    @Test(.serving(TestApp(), configuration: .make(workers: 4), over: .socket), arguments: [1, 2, 3] as [UInt64])
    func nothingIsMissedWhileStreamsAreOpened(seed: UInt64) async throws {
        let session = try await server.client().newSession()
        let (writers, events, followers) = (4, 40, 12)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    let client = server.client(headers: ["Session": session])
                    for event in 0..<events {
                        if event % 3 == 2 {
                            try await client.emit("navigation.back")
                        } else {
                            try await client.emit("test.push", ["number": .int(writer * events + event)])
                        }
                    }
                }
            }
            var generator = SeededGenerator(state: seed)
            for _ in 0..<followers {
                let start = Bool.random(using: &generator) ? Int.random(in: 0...40, using: &generator) : nil
                let delay = Int.random(in: 0...20, using: &generator)
                group.addTask {
                    let client = server.client(headers: ["Session": session])
                    for _ in 0..<delay { _ = try await client.get("/livez") }
                    let stream = try await client.follow(after: start)
                    var last: Int?
                    while last != writers * events {
                        let message = try #require(await stream.next())
                        let id = try #require(message.id)
                        #expect(try message.route.version == id)
                        if let last {
                            #expect(id == last + 1)
                            #expect(message.event == "route")
                        } else if message.event == "route", let start {
                            #expect(id == start + 1)
                        }
                        last = id
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
