import CoordinateExplore
import Notes
import Testing

@Test func nothingIsWrongAnywhere() {
    #expect(NotesApp().faults == [])
    #expect(NotesApp().explore().findings.map(\.detail) == [])
}
