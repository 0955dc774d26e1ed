import Coordinate
import Testing

@testable import Notes

/// Starts a coordinator as the root, with data of its own.
func started<Root: CoordinatorNode & NeedsDependencies>(_ root: Root) throws -> Root {
    root.setDependencies(dependencies: AppDependencies())
    try root.turn { root.start() }
    return root
}

@Test func theListShowsTheNotes() throws {
    let app = try started(ListCoordinator())
    #expect(app.navigationState.screen.rows.map(\.title) == ["Buy milk", "Call Anna"])
}
