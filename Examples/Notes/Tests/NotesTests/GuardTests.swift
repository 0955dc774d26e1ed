import Coordinate
import Testing

@testable import Notes

@Test func proWaitsForTheLogin() async throws {
    let app = try started(AppCoordinator())
    try app.press("Pro")
    #expect(app.path == "/login")

    try app.press("Log in", entering: ["user": "anna", "password": "1234"])
    try await app.work.run("login")
    #expect(app.navigationState.screen.actions[0].inputs[1].error == "is wrong")

    try app.press("Log in", entering: ["user": "anna", "password": "open sesame"])
    try await app.work.run("login")
    #expect(app.path == "/pro")
}

@Test func theLoginCanBeLeft() throws {
    let app = try started(AppCoordinator())
    try app.press("Pro")
    try app.press("Close")
    #expect(app.path == "/notes")
    #expect(app.navigationState.parked == nil)
}
