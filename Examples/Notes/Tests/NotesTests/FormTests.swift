import Coordinate
import Testing

@testable import Notes

@Test func anEmptyNoteIsRefused() throws {
    let app = FormCoordinator()
    try app.turn { app.start() }
    try app.press("Save", entering: ["text": ""])
    #expect(app.navigationState.screen.actions[0].inputs[0].error == "Enter a note.")
}
