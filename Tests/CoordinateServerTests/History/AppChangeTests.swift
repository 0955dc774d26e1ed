import Coordinate
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A newer version of an app replays the sessions of an older one: two servers, one after the other, and one journal.
struct AppChangeTests {
    private let log = LogCapture()
    private let journal = MemoryJournal()

    // MARK: Differences

    /// The outcome of the second event in a later version of the app, and the difference from the first version.
    private static let changes: [(edition: Shelf.Edition, now: JSON, reason: String)] = [
        (.ignoresLikes, .result(handledBy: .null), "handled was true when it was recorded, and is false now."),
        (
            .likesAtTheBook, .result(handledBy: "ShelfCoordinator/BookCoordinator"),
            "handledBy was ShelfCoordinator when it was recorded, and is ShelfCoordinator/BookCoordinator now."
        ),
        (.leavesWhatIsLiked, .result(path: "/"), "path was /book/emma when it was recorded, and is / now."),
        (.knowsHearts, .null, "there is no such event any more."),
        (.asksForStars, .null, #"The payload's field "stars" is missing."#),
        (
            .callsBooksVolumes, .null,
            "there is no started coordinator ShelfCoordinator/BookCoordinator any more. "
                + "Did you mean ShelfCoordinator/BooksCoordinator?"
        ),
    ]

    @Test(arguments: changes) func aSessionWithADifferentReplayIsQuarantined(
        edition: Shelf.Edition, now: JSON, reason: String
    ) async throws {
        let session = try await record()
        try await onServer(of: .second(edition), session) { client in
            let answer = try await client.get("/route")
            #expect(answer.status == 409)
            #expect(answer.header("Content-Type") == "application/problem+json")
            let problem = try answer.json
            #expect(problem["type"] == "/problems/app-changed")
            #expect(problem["version"] == 2)
            #expect(problem["recorded"] == .result())
            #expect(problem["now"] == now)
            #expect(problem["detail"]?.string?.contains(reason) == true, "\(problem)")
            #expect(try await client.journal().events.map(\.version) == [1, 2, 3])
        }
    }

    @Test func aRemovedFieldIsNotADifference() async throws {
        let session = try await record(on: .first(.asksForStars), likes: ["stars": 5])
        let route = try await onServer(of: .second(.first), session) { try await $0.route() }
        #expect(route.path == "/book/dune")
    }

    // MARK: Quarantined sessions

    /// `OpenAPIAnswerTests` send a request to each operation. These are in special forms.
    @Test func aQuarantinedSessionsRouteStreamsAndEventsAreRefused() async throws {
        let session = try await record()
        let back: JSON = ["event": "navigation.back"]
        try await onServer(of: .second(.knowsHearts), session) { client in
            for answer in try await [
                client.get("/route?version=3"),
                client.get("/route", headers: ["If-None-Match": "\"stale\"", "Prefer": "wait=30"]),
                client.get("/events", headers: ["Accept": "text/event-stream", "Last-Event-ID": "0"]),
                client.post("/events", json: back, headers: ["If-Match": "\"stale\""]),
                client.post(
                    "/events", json: ["event": "likes.didLike", "payload": [:]], headers: ["Idempotency-Key": "like"]),
            ] {
                #expect(answer.isProblem("app-changed", 409), "\(answer.text)")
            }
            #expect(try await client.session().version == 3)
        }
    }

    @Test func itsPageOffersANewSession() async throws {
        let session = try await record()
        try await withApp(Shelf.second(.knowsHearts), journal: journal) { server in
            let browser = WebClient(client: server.client())
            let page = try await browser.get("/app", headers: ["Cookie": "session=\(session)"])
            #expect(page.status == 409)
            let next = try await browser.press("Begin anew", on: page)
            #expect(next.status == 200)
            #expect(try await browser.client.route().session != session)
        }
    }

    @Test func versionsBeforeTheDifferenceCanBeRead() async throws {
        let session = try await record()
        try await onServer(of: .second(.knowsHearts), session) { client in
            #expect(try await client.route(at: 0).path == "/")
            #expect(try await client.route(at: 1).path == "/book/emma")
            #expect(try await client.get("/route?version=4").status == 404)
            #expect(try await client.changes(from: 0, to: 1)["/path"]?.to == "/book/emma")
            for (query, status) in [("from=1&to=2", 409), ("from=3&to=0", 409), ("from=0&to=4", 404)] {
                #expect(try await client.get("/sessions/\(session)/changes?\(query)").status == status)
            }
            _ = try await client.get("/route")
            #expect(try await client.route(at: 1).path == "/book/emma")
        }
    }

    @Test func itsEventsAreReadAndExportedAsTheyWereRecorded() async throws {
        let session = try await record()
        let recorded = try await onServer(of: .first(), session) { try await $0.exportedJournal() }
        try await onServer(of: .second(.knowsHearts), session) { client in
            #expect(try await client.session().state == "passive")
            #expect(try await client.get("/route").status == 409)
            let document = try await client.session()
            #expect(document.state == "quarantined")
            #expect(document.path == "/book/dune")
            #expect(document.appVersion == "1.0")
            #expect(try await client.exportedJournal() == recorded)
            let page = try await client.get("/events?after=1&limit=1").json
            #expect(page["events"][0]["event"] == "likes.didLike")
            #expect(page["events"][0]["appVersion"] == "1.0")
            #expect(page["events"][0]["origin"] == "client")
            #expect(page["events"][0]["pending"] == .null)
            #expect(page["next"] == 2)
        }
    }

    @Test func aQuarantinedSessionCanBeForkedBeforeTheDifferenceOnly() async throws {
        let session = try await record()
        try await onServer(of: .second(.knowsHearts), session) { client in
            _ = try await client.get("/route")
            for (version, status) in [(2, 409), (3, 409), (4, 404)] {
                let answer = try await client.post("/sessions/\(session)/forks", json: ["version": .int(version)])
                #expect(answer.status == status, "version \(version)")
            }
            let fork = try await client.fork(at: 1)
            #expect(try await fork.session().appVersion == "2.0")
            let outcome = try await fork.emit("hearts.didGive")
            #expect(outcome.version == 2)
            #expect(outcome.handledBy == "ShelfCoordinator")
        }
    }

    @Test func aServerOfTheOlderAppVersionContinuesIt() async throws {
        let session = try await record()
        let newer = Shelf.second(.knowsHearts)
        #expect(try await onServer(of: newer, session) { try await $0.get("/route").status } == 409)
        let outcome = try await onServer(of: .first(), session) { try await $0.emit("likes.didLike") }
        #expect(outcome.version == 4)
        #expect(outcome.path == "/book/dune")
        #expect(try await onServer(of: newer, session) { try await $0.get("/route").status } == 409)
    }

    @Test func theQuarantineIsLoggedWithoutTheSessionsID() async throws {
        let session = try await record()
        try await onServer(of: .second(.knowsHearts), session, log: log) { client in
            for _ in 0..<3 { _ = try await client.get("/route") }
        }
        #expect(log.lines.count { $0.contains("event 2, likes.didLike: there is no such event any more.") } == 1)
        #expect(!log.lines.contains { $0.contains(session) })
    }

    // MARK: Accepting differences

    @Test(arguments: changes.map(\.edition))
    func theAcceptPolicyContinuesAndLogsTheDifferenceOnce(edition: Shelf.Edition) async throws {
        let sessions = [try await record(), try await record()]
        try await onServer(of: .second(edition), sessions[0], onChange: .accept, log: log) { client in
            #expect(try await client.route().path == "/book/dune")
            let outcome = try await client.emit("books.didSelect", ["book": "emma"])
            #expect(outcome.version == 4)
            #expect(outcome.path == "/book/emma")
            let answer = try await client.get("/sessions/\(sessions[1])/route")
            #expect(answer.status == 200)
            let page = try await client.get("/events?after=2").json
            #expect(page["events"]?.array.map { $0["appVersion"] } == ["1.0", nil])
        }
        #expect(log.warnings.count { $0.contains("continues although") && $0.contains("event 2, likes.didLike") } == 1)
        #expect(log.warnings.count == 1)
    }

    // MARK: Migration

    private static let migrations: [(edition: Shelf.Edition, migrate: Shelf.Migration)] = [
        (.knowsHearts, { $0.rename("likes.didLike", to: "hearts.didGive") }),
        (.knowsHearts, { $0.drop("likes.didLike") }),
        (
            .knowsHearts,
            { event in
                event.split("likes.didLike") { like in
                    [("notes.didOpen"), ("hearts.didGive")].map { .init(name: $0, payload: .object([]), at: like.at) }
                }
            }
        ),
        (.asksForStars, { $0.fill("stars", of: "likes.didLike", with: .int(5)) }),
        (.callsBooksVolumes, { $0.renameCoordinator("BookCoordinator", to: "VolumeCoordinator") }),
        (
            .likesAtTheBook,
            { if $0.emissions[0].name == "likes.didLike" { $0.handledBy = "ShelfCoordinator/BookCoordinator" } }
        ),
        (
            .ignoresLikes,
            { event in
                guard event.emissions[0].name == "likes.didLike" else { return }
                event.isHandled = false
                event.handledBy = nil
            }
        ),
        (.leavesWhatIsLiked, { if $0.emissions[0].name == "likes.didLike" { $0.path = "/" } }),
        (.leavesWhatIsLiked, { $0.acceptsDifferences = $0.isRecorded(before: "2.0") }),
        (
            .standsInAHouse,
            { event in
                for index in event.emissions.indices {
                    event.emissions[index].at = "HouseCoordinator/" + event.emissions[index].at
                }
                event.handledBy = event.handledBy.map { "HouseCoordinator/" + $0 }
                event.path = "/shelf" + (event.path == "/" ? "" : event.path)
            }
        ),
    ]

    @Test(arguments: migrations.indices) func aMigratedSessionContinues(index: Int) async throws {
        let (edition, migrate) = Self.migrations[index]
        let session = try await record()
        let recorded = try await onServer(of: .first(), session) { try await $0.exportedJournal() }
        let path = edition == .standsInAHouse ? "/shelf/book" : "/book"
        try await onServer(of: .second(edition, migrate), session, log: log) { client in
            let route = try await client.route()
            #expect(route.path == path + "/dune")
            let outcome = try await client.emit("books.didSelect", ["book": "emma"])
            #expect(outcome.path == path + "/emma")
            for version in 1...3 { #expect(try await client.route(at: version).version == version) }
            #expect(try await client.exportedJournal().starts(with: recorded), "the journal has what was recorded")
        }
        #expect(log.warnings == [])
        let status = try await onServer(of: .second(edition), session) { try await $0.get("/route").status }
        #expect(status == 409, "without the migration it differs")
    }

    @Test func entriesOfTheSameAppVersionAreNotMigrated() async throws {
        let session = try await record()
        let app = Shelf(version: "1.0", edition: .first, migration: { $0.emissions = [] })
        #expect(try await onServer(of: app, session) { try await $0.route().path } == "/book/dune")
    }

    // MARK: Conditional requests

    @Test func aRequestCanBeRepeatedAfterAnAppUpdate() async throws {
        let session = try await record()
        try await onServer(of: .second(.first), session) { client in
            let like: JSON = ["event": "likes.didLike", "payload": [:]]
            let answer = try await client.post("/events", json: like, headers: ["Idempotency-Key": "like"])
            #expect(answer.status == 200)
            #expect(try answer.json["version"] == 2)
            #expect(try await client.session().version == 3)
        }
    }

    @Test func tagsDifferByAppVersion() async throws {
        let session = try await record()
        let tag = try await onServer(of: .first(), session) { client in
            try #require(try await client.get("/route").header("ETag"))
        }
        let back: JSON = ["event": "navigation.back"]
        try await onServer(of: .second(.first), session) { client in
            // It may look different now, …
            let answer = try await client.get("/route", headers: ["If-None-Match": tag])
            #expect(answer.status == 200)
            #expect(answer.header("ETag") != tag)
            #expect(try await client.get("/route?version=3", headers: ["If-None-Match": tag]).status == 200)
            // … but it is the same version of the session.
            #expect(try await client.post("/events", json: back, headers: ["If-Match": tag]).status == 200)
            #expect(try await client.session().appVersion == "1.0")
            let entries = try await client.get("/events?after=2").json["events"]?.array ?? []
            #expect(entries.map { $0["appVersion"] } == ["1.0", nil])
        }
        try await onServer(of: .first(), session) { client in
            let answer = try await client.get("/route?version=3", headers: ["If-None-Match": tag])
            #expect(answer.status == 304)
        }
    }

    // MARK: Journals

    @Test func anOldJournalIsImportedIfTheAppMigratesIt() async throws {
        let session = try await record()
        let recorded = try await onServer(of: .first(), session) { try await $0.exportedJournal() }
        let type = ["Content-Type": "application/x-ndjson"]
        try await onServer(of: .second(.knowsHearts), session) { client in
            let answer = try await client.request("POST", "/sessions", headers: type, body: recorded)
            #expect(answer.isProblem("invalid-journal", 422))
            #expect(try answer.json["line"] == 3)
            #expect(try answer.json["detail"] == "Line 3: there is no such event any more.")
        }
        #expect(throws: JournalReplayError.self) { try Shelf.second(.knowsHearts).replay(recorded) }
        let app = Shelf.second(.knowsHearts) { $0.rename("likes.didLike", to: "hearts.didGive") }
        #expect(try app.replay(recorded) == "/book/dune")
        let (imported, exported) = try await onServer(of: app, session) { client in
            let answer = try await client.request("POST", "/sessions", headers: type, body: recorded)
            #expect(try answer.json["version"] == 3)
            let copy = client.inSession(try #require(try answer.json["id"]?.string))
            #expect(try await copy.route().path == "/book/dune")
            return (try #require(copy.sessionID), try await copy.exportedJournal())
        }
        // The entries stay as they were recorded, and are migrated again each time.
        let lines = String(decoding: exported, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains(#""appVersion":"1.0""#) } == [false, true, true, true])
        #expect(try app.replay(exported) == "/book/dune")
        #expect(try await onServer(of: app, imported) { try await $0.route().path } == "/book/dune")
    }

    @Test func aLinkReplaysAfterAScreenHasBeenRenamed() async throws {
        let recorded = try await withClient(of: Shelf.first()) { client in
            for book in ["emma", "dune"] { try await client.open("/book/\(book)") }
            #expect(try await client.journal().events.map(\.at) == ["ShelfCoordinator", "ShelfCoordinator"])
            return try await client.exportedJournal()
        }
        #expect(try Shelf.second(.callsBooksVolumes).replay(recorded) == "/book/dune")
        // Older servers recorded links at the visible screen.
        let line = #""payload":{"path":"/book/dune"},"at":"ShelfCoordinator"#
        let old = String(decoding: recorded, as: UTF8.self).replacing(line, with: line + "/BookCoordinator")
        #expect(old.contains("BookCoordinator"))
        #expect(try Shelf.first().replay(Array(old.utf8)) == "/book/dune")
        #expect(try Shelf.second(.callsBooksVolumes).replay(Array(old.utf8)) == "/book/dune")
    }

    // MARK: Servers

    /// Records a session of three events: a book, a like of it, another book. Returns its id.
    private func record(on app: Shelf = .first(), likes payload: JSON = [:]) async throws -> String {
        try await withClient(of: app, journal: journal) { client in
            let first = try await client.emit("books.didSelect", ["book": "emma"])
            #expect(first.handledBy == "ShelfCoordinator")
            let like: JSON = ["event": "likes.didLike", "payload": payload]
            let liked = try await client.post("/events", json: like, headers: ["Idempotency-Key": "like"])
            #expect(try liked.json["handledBy"] == "ShelfCoordinator")
            #expect(try await client.emit("books.didSelect", ["book": "dune"], at: "ShelfCoordinator").version == 3)
            return try #require(client.sessionID)
        }
    }

    /// Runs the body with a client of that session, on a new server with the same journal.
    private func onServer<Result>(
        of app: Shelf, _ session: String, onChange: AppChangePolicy = .quarantine, log: LogCapture = LogCapture(),
        _ body: (SessionClient) async throws -> Result
    ) async throws -> Result {
        try await withApp(app, journal: journal, logger: log.logger, configuration: .make(onChange: onChange)) {
            try await body($0.client(headers: ["Session": session]))
        }
    }
}

extension JSON {
    /// The outcome of the second event, as in a problem.
    fileprivate static func result(handledBy: JSON = "ShelfCoordinator", path: JSON = "/book/emma") -> JSON {
        ["event": "likes.didLike", "handled": .bool(handledBy != .null), "handledBy": handledBy, "path": path]
    }
}

extension LogCapture {
    /// The warnings, except those about slow turns, which any turn can be on a busy machine.
    fileprivate var warnings: [String] {
        lines.filter { $0.hasPrefix("warning ") && !$0.contains("took longer than") }
    }
}

// MARK: The app

/// A shelf of books, which can be opened and liked. It has several editions.
struct Shelf: CoordinatedApp {
    typealias Migration = @Sendable (inout RecordedEvent) -> Void

    enum Edition: CaseIterable {
        /// The shelf handles likes, and nothing else.
        case first
        case ignoresLikes
        case likesAtTheBook
        case leavesWhatIsLiked
        /// It has hearts instead of likes.
        case knowsHearts
        case asksForStars
        case callsBooksVolumes
        case standsInAHouse
    }

    let name = "Shelf"
    let version: String
    let edition: Edition
    var migration: Migration = { _ in }

    static func first(_ edition: Edition = .first) -> Shelf { Shelf(version: "1.0", edition: edition) }

    static func second(_ edition: Edition, _ migration: @escaping Migration = { _ in }) -> Shelf {
        Shelf(version: "2.0", edition: edition, migration: migration)
    }

    var events: EventCatalog {
        switch edition {
        case .knowsHearts: EventCatalog(ShelfEvents.Books.self, ShelfEvents.Hearts.self, ShelfEvents.Notes.self)
        case .asksForStars: EventCatalog(ShelfEvents.Books.self, ShelfEvents.Stars.self)
        default: EventCatalog(ShelfEvents.Books.self, ShelfEvents.Likes.self)
        }
    }

    var routes: RouteCatalog {
        edition == .standsInAHouse
            ? RouteCatalog(HouseCoordinator.Route.self) : RouteCatalog(ShelfCoordinator.Route.self)
    }

    func makeRootCoordinator() -> CoordinatorNode {
        edition == .standsInAHouse ? HouseCoordinator() : ShelfCoordinator(edition: edition)
    }

    func migrate(_ event: inout RecordedEvent) { migration(&event) }
}

enum ShelfEvents {
    enum Books: DeclaredEvents, Equatable {
        case didSelect(_ book: String)

        static let declaration = EventDeclaration<Self>(
            "books",
            .event("didSelect", Self.didSelect, "book") { if case .didSelect(let book) = $0 { book } else { nil } })
    }

    enum Likes: DeclaredEvents, Equatable {
        case didLike

        static let declaration = EventDeclaration<Self>("likes", .event("didLike", .didLike))
    }

    enum Hearts: DeclaredEvents, Equatable {
        case didGive

        static let declaration = EventDeclaration<Self>("hearts", .event("didGive", .didGive))
    }

    enum Notes: DeclaredEvents, Equatable {
        case didOpen

        static let declaration = EventDeclaration<Self>("notes", .event("didOpen", .didOpen))
    }

    enum Stars: DeclaredEvents, Equatable {
        case didLike(_ stars: Int)

        static let declaration = EventDeclaration<Self>(
            "likes",
            .event("didLike", Self.didLike, "stars") { if case .didLike(let stars) = $0 { stars } else { nil } })
    }
}

final class HouseCoordinator: ContainerCoordinator<ViewController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case shelf(ShelfCoordinator.Route?)

        static let declaration = RouteDeclaration<Self>(
            .nested("shelf", Self.shelf) { if case .shelf(let route) = $0 { route } else { nil } })
    }

    var activeRoute = Route.shelf(nil)
    private let shelf = ShelfCoordinator(edition: .standsInAHouse)

    func goTo(_ route: Route) {
        guard case .shelf(let route) = route else { return }
        shelf.goToOnceStarted(route)
        root(shelf)
        activeRoute = .shelf(nil)
    }
}

final class ShelfCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case books
        case book(_ book: String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .books),
            .route("book/{book}", Self.book) { if case .book(let book) = $0 { book } else { nil } })
    }

    var activeRoute = Route.books
    private let edition: Shelf.Edition

    init(edition: Shelf.Edition) {
        self.edition = edition
        super.init()
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case ShelfEvents.Books.didSelect(let book): goTo(.book(book))
        case ShelfEvents.Likes.didLike:
            guard edition != .ignoresLikes else { return false }
            if edition == .leavesWhatIsLiked { goTo(.books) }
        case is ShelfEvents.Hearts, is ShelfEvents.Stars: break
        default: return false
        }
        return true
    }

    func goTo(_ route: Route) {
        root(getCached(BooksCoordinator.self) ?? BooksCoordinator())
        activeRoute = .books
        if case .book = route {
            let isVolume = edition == .callsBooksVolumes
            show(
                isVolume ? VolumeCoordinator() : BookCoordinator(handlesLikes: edition == .likesAtTheBook), sender: self
            )
        }
        activeRoute = route
    }
}

final class BooksCoordinator: Coordinator<ViewController> {}

final class BookCoordinator: Coordinator<ViewController> {
    private let handlesLikes: Bool

    init(handlesLikes: Bool) {
        self.handlesLikes = handlesLikes
        super.init()
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { handlesLikes && event is ShelfEvents.Likes }
}

final class VolumeCoordinator: Coordinator<ViewController> {}
