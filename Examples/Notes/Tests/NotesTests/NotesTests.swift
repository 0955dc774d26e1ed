import Coordinate
import CoordinateExplore
import Testing

@testable import notes

struct NotesTests {
    private let app = NotesApp().makeRootCoordinator()

    init() throws {
        try app.turn { app.start() }
    }

    @Test func aRowLeadsToItsNote() throws {
        try app.press("Call Anna")
        #expect(app.path == "/note/2")
        try app.press("Notes")
        #expect(app.path == "/")
    }
}

extension NotesTests {
    @Test func writingNeedsALogin() async throws {
        try app.press("New note")
        #expect(app.path == "/login")
        try app.press("Log in", entering: ["user": "anna", "password": "open sesame"])
        try await app.work.run("login")
        #expect(app.path == "/new")
        try app.press("Save", entering: ["text": "Water the plants"])
        #expect(app.path == "/note/3")
    }

    @Test func nothingIsWrongAnywhere() {
        #expect(NotesApp().faults == [])
        #expect(NotesApp().explore().findings.map(\.detail) == [])
    }
}
