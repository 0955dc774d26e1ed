import Coordinate
import Testing

@testable import Shop

struct CheckoutTests {
    @Test func anOrderIsPlacedAndShown() async throws {
        let shop = try Flow()
        try await shop.checkOut(.lamp)
        #expect(shop.screen.style == .sheet)
        #expect(shop.screen.rows.map(\.id) == ["lamp", "discount", "delivery"])
        #expect(shop.screen.message == "Total €49.00")

        try shop.press("Place order")
        #expect(shop.screen.status == .loading)
        #expect(shop.screen.actions.isEmpty)
        try await shop.app.work.run("order")
        #expect(shop.state.breadcrumbs.map(\.title).first == "Orders")
        #expect(shop.screen.message == "Total €49.00")
        #expect(shop.state.tabs[1].badge == nil)

        try shop.emit(NavigationEvents.back)
        #expect(shop.screen.rows.map(\.value) == ["€49.00", "€49.90"])
    }

    @Test func aCheckoutWaitsForTheLogin() async throws {
        let shop = try Flow()
        try await shop.buy(.lamp)
        try shop.open("/cart")
        try shop.press("Check out")
        #expect(shop.path == "/account/login")
        #expect(shop.state.parked == "/checkout")

        try await shop.logIn()
        #expect(shop.path == "/checkout")
        try shop.emit(NavigationEvents.dismiss)
        #expect(shop.path == "/cart")
    }

    @Test(arguments: [("/checkout/delivery", "Delivery"), ("/checkout/confirmation", "Your order")])
    func aLinkLeadsIntoAStepOfTheCheckout(_ link: String, _ title: String) async throws {
        let shop = try Flow()
        try await shop.buy(.lamp)
        try shop.open(link)
        #expect(shop.path == "/account/login")
        #expect(shop.state.parked == link)

        try await shop.logIn()
        #expect(shop.path == link)
        #expect(shop.screen.title == title)
        #expect(shop.state.breadcrumbs.map(\.title).contains("Address"))
    }

    @Test func aLinkToAnotherStepKeepsWhatTheCustomerEntered() async throws {
        let shop = try Flow()
        try shop.open("/account")
        try await shop.logIn()
        try await shop.buy(.mug)
        try shop.open("/checkout")
        try shop.press("Save address", entering: ["street": "Am Tor 1", "zip": "10115", "country": "de"])
        try shop.press("Express, tomorrow")

        try shop.open("/checkout/confirmation")
        #expect(shop.screen.message == "Total €21.81")
        #expect(shop.screen.rows.last?.subtitle == "Am Tor 1, DE-10115")
        try shop.open("/checkout/delivery")
        #expect(shop.screen.rows.map(\.isFavorite) == [false, true])
        try shop.open("/checkout")
        #expect(shop.input["street"]?.value == "Am Tor 1")
    }

    @Test func anEmptyCartCannotBeCheckedOut() async throws {
        let shop = try Flow()
        try shop.open("/checkout")
        #expect(shop.path == "/cart")
        #expect(shop.state.parked == nil)
    }

    @Test(arguments: [
        (Country.ch, "8001", nil), (.ch, "80010", "Enter a zip of 4 digits."),
        (.ch, "+800", "Enter a zip of 4 digits."),
        (.de, "10115", nil), (.de, "8001", "Enter a zip of 5 digits."), (.de, "", "Enter a zip of 5 digits."),
    ])
    func theZipIsOneOfTheCountry(_ country: Country, _ zip: String, _ error: String?) async throws {
        let shop = try Flow()
        try shop.open("/account/edit")
        try await shop.logIn()
        #expect(shop.input["zip"]?.error == nil)
        #expect(shop.input["country"]?.choices?.map(\.title) == ["Switzerland", "Germany"])

        try shop.emit(AppEvents.AddressForm.submit(name: "Anna", street: "Am Tor 1", zip: zip, country: country))
        #expect(shop.path == (error == nil ? "/account" : "/account/edit"))
        #expect(shop.input["zip"]?.error == error)
    }

    @Test func anExpressDeliveryIsMarkedAndCostsMore() async throws {
        let shop = try Flow()
        try await shop.checkOut(.mug)
        try shop.emit(NavigationEvents.back)
        #expect(shop.screen.rows.map(\.isFavorite) == [true, false])
        try shop.press("Express, tomorrow")
        #expect(shop.screen.rows.map(\.isFavorite) == [false, true])
        try shop.press("Continue")
        #expect(shop.screen.message == "Total €21.81")
    }

    @Test func whatIsSoldOutCanBeRemoved() async throws {
        let shop = try Flow()
        try await shop.checkOut(.clock)
        try await shop.buy(.mug)
        try shop.press("Place order")
        try await shop.app.work.run("order")
        #expect(shop.screen.status == .failed)
        #expect(shop.screen.message == "Sold out: Wall clock")

        try shop.press("Remove")
        #expect(shop.screen.rows.map(\.id) == ["mug", "discount", "delivery"])
        try shop.press("Place order")
        try await shop.app.work.run("order")
        #expect(shop.path.hasPrefix("/orders/"))
    }

    @Test func aCheckoutOfWhatIsGoneIsLeft() async throws {
        let shop = try Flow()
        try await shop.checkOut(.clock)
        try shop.press("Place order")
        try await shop.app.work.run("order")
        try shop.press("Remove")
        #expect(shop.path == "/cart")
    }

    @Test func anOrderThatFailedCanBePlacedAgain() async throws {
        let shop = try Flow()
        try await shop.checkOut(.mug)
        try shop.press("Place order")
        try shop.app.work.fail("order")
        #expect(shop.screen.message == "The order did not come through.")

        try shop.press("Try again")
        try await shop.app.work.run("order")
        #expect(shop.path.hasPrefix("/orders/"))
    }

    @Test func usersStayWhileAnOrderIsPlaced() async throws {
        let shop = try Flow()
        try await shop.checkOut(.mug)
        try shop.press("Place order")
        try shop.emit(NavigationEvents.dismiss)
        #expect(shop.screen.title == "The order is being placed.")
        #expect(shop.screen.actions.map(\.title) == ["Wait"])

        try await shop.app.work.run("order")
        #expect(shop.path.hasPrefix("/orders/"))
        #expect(shop.screen.style == .page)
    }

    @Test func anOrderThatIsSentAgainIsTheSame() async throws {
        let order = Order(lines: [], discount: 0, delivery: .standard, address: Address())
        let number = try await BackOffice().place(order, WorkContext(key: "one")).number
        #expect(try await BackOffice().place(order, WorkContext(key: "one", attempt: 2)).number == number)
        #expect(try await BackOffice().place(order, WorkContext(key: "two")).number != number)
    }
}

extension Placement {
    fileprivate var number: Int? { if case .placed(let order) = self { order.number } else { nil } }
}
