import Coordinate
import Testing

@testable import Shop

struct AccountTests {
    @Test func aLinkToAnOrderWaitsForTheLogin() async throws {
        let shop = try Flow()
        try shop.open("/orders/17")
        #expect(shop.path == "/account/login")
        #expect(shop.state.parked == "/orders/17")

        try await shop.logIn()
        #expect(shop.path == "/orders/17")
        #expect(shop.state.parked == nil)
        #expect(shop.state.breadcrumbs.map(\.title) == ["Orders", "Order 17"])
        #expect(shop.screen.message == "Total €49.90")
    }

    @Test func theTabOfTheOrdersIsGuardedLikeALink() async throws {
        let shop = try Flow()
        try shop.emit(NavigationEvents.selectTab("OrdersCoordinator"))
        #expect(shop.path == "/account/login")
        try shop.press("Not now")
        #expect(shop.path == "/catalogue")
        #expect(shop.state.parked == nil)

        try shop.open("/account")
        try await shop.logIn()
        #expect(shop.path == "/account")
    }

    @Test func thoseWhoLeaveTheLoginAreNotTakenToTheirLinkLater() async throws {
        let shop = try Flow()
        try shop.open("/orders/17")
        #expect(shop.state.parked == "/orders/17")
        try shop.emit(NavigationEvents.selectTab("CartCoordinator"))
        #expect(shop.state.parked == nil)

        try shop.emit(NavigationEvents.selectTab("AccountCoordinator"))
        try await shop.logIn()
        #expect(shop.path == "/account")
    }

    @Test func aWrongPasswordIsSaidBesideItsField() async throws {
        let shop = try Flow()
        try shop.open("/account")
        try shop.emit(AppEvents.Account.logIn("anna", Secret("1234")))
        #expect(shop.screen.status == .loading)
        #expect(try !shop.emit(AppEvents.Account.logIn("anna", Secret("4321"))).isHandled)

        try await shop.app.work.run("login")
        #expect(shop.path == "/account/login")
        #expect(shop.input["user"]?.value == .string("anna"))
        #expect(shop.input["password"]?.error == "The password is wrong.")
        #expect(shop.input["password"]?.value == .null)
    }

    @Test func aLoginThatFailsCanBeTriedAgain() async throws {
        let shop = try Flow()
        try shop.open("/account")
        try shop.emit(AppEvents.Account.logIn("anna", Secret("open sesame")))
        try shop.app.work.fail("login")
        #expect(shop.screen.status == .failed)
        #expect(shop.screen.message == "The login is unavailable. Try again later.")

        try await shop.logIn()
        #expect(shop.path == "/account")
    }

    @Test func theNextOneToLogInDoesNotComeToTheOrdersOfTheLast() async throws {
        let shop = try Flow()
        try shop.open("/orders/17")
        try await shop.logIn()
        try shop.open("/account")
        try shop.press("Log out")
        #expect(shop.path == "/account/login")
        #expect(shop.state.parked == nil)
        #expect(!shop.state.tree.children[2].isStarted)

        try await shop.logIn()
        #expect(shop.path == "/account")
        try shop.emit(NavigationEvents.selectTab("OrdersCoordinator"))
        #expect(shop.path == "/orders")
    }

    @Test func aLogoutInTheMiddleOfAnOrderParksNothingForTheNextCustomer() async throws {
        let shop = try Flow()
        try await shop.checkOut(.mug)
        try shop.emit(AppEvents.Account.logOut)
        #expect(shop.path == "/account/login")
        #expect(shop.state.parked == nil)
    }

    @Test func anAddressIsEdited() async throws {
        let shop = try Flow()
        try shop.open("/account/edit")
        #expect(shop.state.parked == "/account/edit")
        try await shop.logIn()
        #expect(shop.path == "/account/edit")
        #expect(shop.screen.style == .sheet)

        try shop.emit(AppEvents.AddressForm.submit(name: "Anna", street: "Am Tor 1", zip: "10115", country: .de))
        #expect(shop.path == "/account")
        #expect(shop.screen.rows.map(\.title) == ["Anna"])
        #expect(shop.screen.rows.first?.subtitle == "Am Tor 1, DE-10115")
    }

    @Test func anAddressWithChangesIsNotLeftJustLikeThat() async throws {
        let shop = try Flow()
        try shop.open("/account/edit")
        try await shop.logIn()
        try shop.emit(AppEvents.AddressForm.submit(name: "", street: "Am Tor 1", zip: "10115", country: .de))
        #expect(shop.input["name"]?.error == "Enter a name.")

        try shop.emit(NavigationEvents.dismiss)
        #expect(shop.screen.style == .alert)
        #expect(shop.screen.title == "Discard changes?")
        try shop.press("Keep editing")
        #expect(shop.input["street"]?.value == .string("Am Tor 1"))

        try shop.emit(NavigationEvents.dismiss)
        try shop.press("Discard")
        #expect(shop.path == "/account")
        #expect(shop.screen.rows.map(\.title) == ["Anna Berg"])
    }

    @Test func anOrderIsCancelledWhileItsScreenIsLeft() async throws {
        let shop = try Flow()
        try await shop.checkOut(.mug)
        try shop.press("Place order")
        try await shop.app.work.run("order")
        try shop.press("Cancel order")
        #expect(shop.screen.message == "The order is being cancelled.")
        #expect(shop.screen.actions.isEmpty)

        try shop.emit(NavigationEvents.back)
        #expect(shop.screen.rows.map(\.subtitle) == ["The order is being cancelled.", nil])
        try await shop.app.work.run("cancellation")
        #expect(shop.screen.rows.map(\.subtitle) == ["The order is cancelled.", nil])
    }

    @Test func anOrderThatIsDeliveredCannotBeCancelled() async throws {
        let shop = try Flow()
        try shop.open("/orders/17")
        try await shop.logIn()
        try shop.press("Cancel order")
        try await shop.app.work.run("cancellation")
        #expect(shop.screen.message == "The order can no longer be cancelled.")
        #expect(shop.screen.actions.isEmpty)
    }

    @Test func aCancellationEndsWithTheLoginOfItsCustomer() async throws {
        let shop = try Flow()
        try shop.open("/orders/17")
        try await shop.logIn()
        try shop.press("Cancel order")
        try shop.open("/account")
        #expect(shop.app.work.map(\.name).contains("cancellation"))
        try shop.press("Log out")
        #expect(!shop.app.work.map(\.name).contains("cancellation"))
    }

    @Test func anOrderOfSomebodyElseIsNotThere() async throws {
        let shop = try Flow()
        try shop.open("/orders/4711")
        try await shop.logIn()
        #expect(shop.path == "/orders/4711")
        #expect(shop.screen.status == .failed)
        #expect(shop.screen.message == "You have no such order.")
    }
}
