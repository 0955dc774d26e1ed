import CoordinateTesting
import Testing
import WebDriver

@testable import Shop

/// The shop in a browser without scripts, as its customers use it.
@Suite(
    .serialized, .enabled(if: Browser.isInstalled, "needs chromium and chromedriver on the PATH"),
    .timeLimit(.minutes(5)))
struct ShopWebTests {
    @Test func anOrderIsPlacedWithoutScripts() async throws {
        try await withCustomer { page, server in
            try await page.open(server.url + "/app")
            try await page.expect("Catalogue", at: "/catalogue")
            // The page reloads itself until the prices are there.
            try await page.wait(for: "main .value", text: "€49.00")
            try await page.fill(labelled: "Name", with: "mug")
            try await page.press("Search")
            try await page.expect("Search", at: "/catalogue/search?q=mug")
            #expect(try await page.texts("main .rows button") == ["Blue mug"])
            try await page.press("Blue mug")
            try await page.expect("Blue mug")
            try await page.press("Add to cart")
            try await page.wait(for: "nav .badge", text: "1")
            try await page.press("Cart")
            try await page.expect("Cart", at: "/cart")
            try await page.wait(for: "main .text", text: "Total €8.91")
            try await page.press("+")
            try await page.wait(for: "main .text", text: "Total €17.82")

            try await page.press("Check out")
            try await page.expect("Log in", at: "/account/login")
            try await page.wait(for: ".parked", text: "Continues afterwards to /checkout.")
            try await page.logIn(password: "open barley")
            try await page.wait(for: ".error", text: "is wrong")
            let error = try await page.evaluate(
                """
                const field = document.querySelector("[aria-invalid='true']");
                return [field.type, field.value, document.getElementById(field.getAttribute("aria-describedby")).textContent];
                """)
            #expect(error == ["password", "", "is wrong"])
            try await page.logIn()
            try await page.expect("Address", at: "/checkout")

            try await page.fill(labelled: "Street", with: "Am Tor 1")
            try await page.fill(labelled: "Zip", with: "80")
            try await page.press("Save address")
            try await page.wait(for: ".error", text: "has 4 digits")
            let form = try await page.evaluate(
                """
                const field = document.querySelector("[aria-invalid='true']");
                return [field.labels[0].textContent, field.value, document.querySelector("[name='input.street']").value];
                """)
            #expect(form == ["Zip", "80", "Am Tor 1"])
            try await page.choose("de", in: "select")
            try await page.fill(labelled: "Zip", with: "10115")
            try await page.press("Save address")
            try await page.expect("Delivery", at: "/checkout/delivery")
            try await page.press("Express, tomorrow")
            try await page.wait("for the choice", until: "document.querySelectorAll('.favorite').length === 1")
            try await page.press("Continue")
            try await page.expect("Your order", at: "/checkout/confirmation")
            try await page.wait(for: "main .text", text: "Total €30.72")
            try await page.press("Place order")

            // The first attempt of an express order fails.
            try await page.wait(
                "for the order", until: "/^Order [0-9]{6}$/.test(document.querySelector('h1').textContent)")
            let order = try await page.address
            #expect(order.wholeMatch(of: #//app/orders/[0-9]{6}/#) != nil)
            try await page.wait(for: "main .subtitle", text: "Am Tor 1, DE-10115")
            try await page.wait(untilGone: "nav .badge")
            try await page.click("header button", text: "Orders")
            try await page.expect("Orders", at: "/orders")
            #expect(try await page.texts("main .rows button").count == 2)

            try await page.press("Account")
            try await page.expect("Account", at: "/account")
            try await page.press("Log out")
            try await page.expect("Log in", at: "/account/login")
            try await page.open(server.url + order)
            try await page.expect("Log in", at: "/account/login")
        }
    }

    @Test func whatIsSoldOutIsRemoved() async throws {
        try await withCustomer { page, server in
            try await page.open(server.url + "/app/catalogue/product/clock")
            try await page.wait(for: "main .text", text: "€34.50")
            try await page.press("Add to cart")
            try await page.wait(for: "nav .badge", text: "1")
            try await page.open(server.url + "/app/checkout/confirmation")
            try await page.logIn()
            try await page.expect("Your order", at: "/checkout/confirmation")
            try await page.press("Place order")
            try await page.wait(for: ".failed", text: "Sold out: Wall clock")
            try await page.press("Remove")
            // An empty cart has no checkout.
            try await page.expect("Cart", at: "/cart")
        }
    }

    @Test func theOfferEndsWhileThePageIsOpen() async throws {
        let clock = TestClock()
        try await withCustomer(clock: clock) { page, server in
            try await page.open(server.url + "/app/catalogue/product/chair")
            try await page.wait(for: "main .text", text: "€129.00")
            try await page.press("Add to cart")
            try await page.wait(for: "nav .badge", text: "1")
            try await page.press("Cart")
            try await page.wait(for: "main .text", text: "Total €116.10")
            clock.advance(by: .seconds(300))
            let session = try await page.sessionCookie
            _ = try await server.client().inSession(session).wait { $0.pending.isEmpty }
            // The customer still sees the old price, and does not order at another one.
            try await page.press("Check out")
            try await page.wait(for: "[role='alert']")
            try await page.wait(for: "main .text", text: "Total €129.00")
            try await page.press("Check out")
            try await page.expect("Log in", at: "/account/login")
        }
    }

    @Test func unsavedChangesAreAskedAbout() async throws {
        try await withCustomer { page, server in
            try await page.open(server.url + "/app/account/edit")
            try await page.logIn()
            try await page.expect("Address", at: "/account/edit")
            try await page.fill(labelled: "Name", with: "")
            try await page.press("Save address")
            try await page.wait(for: ".error", text: "is missing")
            try await page.click("header button")
            try await page.expect("Discard changes?")
            #expect(try await page.texts("main button") == ["Discard", "Keep editing"])
            try await page.press("Keep editing")
            try await page.expect("Address", at: "/account/edit")
            try await page.click("header button")
            try await page.press("Discard")
            try await page.expect("Account", at: "/account")
        }
    }

    /// The addresses of all screens in a new browser: what is shown there, and after a login, if it needs one.
    @Test func everyScreenIsThereByItsAddress() async throws {
        try await withCustomer { page, server in
            for (address, heading, end) in [
                ("", "Catalogue", "/catalogue"), ("/catalogue", "Catalogue", "/catalogue"),
                ("/catalogue/product/lamp", "Desk lamp", "/catalogue/product/lamp"),
                ("/catalogue/search?q=clock", "Search", "/catalogue/search?q=clock"), ("/cart", "Cart", "/cart"),
                ("/account/login", "Log in", "/account/login"),
                // The cart of a new customer is empty.
                ("/checkout", "Cart", "/cart"), ("/checkout/delivery", "Cart", "/cart"),
                ("/checkout/confirmation", "Cart", "/cart"),
            ] {
                try await page.clearCookies()
                try await page.open(server.url + "/app" + address)
                try await page.expect(heading, at: end)
            }
            for (address, heading) in [
                ("/orders", "Orders"), ("/orders/17", "Order 17"), ("/account/edit", "Address"),
                ("/account", "Account"),
            ] {
                try await page.clearCookies()
                try await page.open(server.url + "/app" + address)
                try await page.expect("Log in", at: "/account/login")
                try await page.logIn()
                try await page.expect(heading, at: address)
                try await page.open(server.url + "/app" + address)
                try await page.expect(heading, at: address)
            }
        }
    }

    @Test func withScriptsPricesAndOrdersAppearByThemselves() async throws {
        try await withCustomer(runsScripts: true) { page, server in
            try await page.open(server.url + "/app/catalogue/product/mug")
            try await page.evaluate("window.isTheSame = true")
            try await page.wait(for: "main .text", text: "€9.90")
            try await page.press("Add to cart")
            try await page.wait(for: "nav .badge", text: "1")
            try await page.press("Cart")
            try await page.press("Check out")
            try await page.logIn()
            try await page.expect("Address", at: "/checkout")
            try await page.press("Save address")
            try await page.press("Continue")
            try await page.press("Place order")
            try await page.wait(
                "for the order", until: "/^Order [0-9]{6}$/.test(document.querySelector('h1').textContent)")
            #expect(try await page.evaluate("return window.isTheSame") == true)
        }
    }
}
