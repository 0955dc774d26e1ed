import Coordinate
import Testing

@testable import Notes

@Test func aRowLeadsToItsNote() throws {
    let app = try started(NotesCoordinator())
    try app.press("Call Anna")
    #expect(app.path == "/2")
    try app.press("Notes")
    #expect(app.path == "/")
}

@Test func aNewNoteIsShown() throws {
    let app = try started(NotesCoordinator())
    try app.press("New note")
    #expect(app.path == "/new")
    try app.press("Save", entering: ["text": "Water the plants"])
    #expect(app.path == "/3")
    #expect(app.navigationState.screen.message == "Water the plants")
}
