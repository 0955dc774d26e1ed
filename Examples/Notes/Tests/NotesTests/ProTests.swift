import Coordinate
import Testing

@testable import Notes

@Test func proIsBought() async throws {
    let app = try started(ProCoordinator())
    try app.press("Buy")
    #expect(app.navigationState.screen.status == .loading)
    try await app.work.run("pay")
    #expect(app.navigationState.screen.message == "You have Pro. Receipt 1001.")
}

@Test func aPaymentThatFailedCanBeTriedAgain() throws {
    let app = try started(ProCoordinator())
    try app.press("Buy")
    try app.work.fail("pay")
    #expect(app.navigationState.screen.message == "The payment failed. Try again.")
    try app.press("Buy")
}
