/// A text in every language of the shop.
struct Text: Equatable, Sendable {
    private let english, german: String

    init(_ english: String, _ german: String) { (self.english, self.german) = (english, german) }

    subscript(language: Language) -> String { language == .en ? english : german }
}

extension Text {
    static let account = Text("Account", "Konto")
    static let addToCart = Text("Add to cart", "In den Warenkorb")
    static let address = Text("Address", "Adresse")
    static let cancelled = Text("The order is cancelled.", "Die Bestellung ist storniert.")
    static let cancelOrder = Text("Cancel order", "Bestellung stornieren")
    static let cannotBeCancelled = Text(
        "The order can no longer be cancelled.", "Die Bestellung kann nicht mehr storniert werden.")
    static let cart = Text("Cart", "Warenkorb")
    static let catalogue = Text("Catalogue", "Katalog")
    static let checkOut = Text("Check out", "Zur Kasse")
    static let confirmation = Text("Your order", "Ihre Bestellung")
    static let country = Text("Country", "Land")
    static let delivery = Text("Delivery", "Lieferung")
    static let discard = Text("Discard", "Verwerfen")
    static let discardChanges = Text("Discard changes?", "Änderungen verwerfen?")
    static let discount = Text("10 % off, for five minutes", "10 % Rabatt, fünf Minuten lang")
    static let edit = Text("Edit", "Bearbeiten")
    static let emptyCart = Text("There is nothing in the cart.", "Der Warenkorb ist leer.")
    static let enterName = Text("Enter a name.", "Geben Sie einen Namen ein.")
    static let enterStreet = Text("Enter a street.", "Geben Sie eine Straße ein.")
    static let expressDelivery = Text("Express, tomorrow", "Express, morgen")
    static let germany = Text("Germany", "Deutschland")
    static let goOn = Text("Continue", "Weiter")
    static let isBeingCancelled = Text("The order is being cancelled.", "Die Bestellung wird storniert.")
    static let isBeingPlaced = Text("The order is being placed.", "Die Bestellung wird aufgegeben.")
    static let items = Text("Items", "Artikel")
    static let keepEditing = Text("Keep editing", "Weiter bearbeiten")
    static let less = Text("−", "−")
    static let logIn = Text("Log in", "Anmelden")
    static let loginFailed = Text(
        "The login is unavailable. Try again later.", "Die Anmeldung ist gerade nicht möglich.")
    static let logOut = Text("Log out", "Abmelden")
    static let more = Text("+", "+")
    static let name = Text("Name", "Name")
    static let notNow = Text("Not now", "Nicht jetzt")
    static let noOrders = Text("You have not ordered anything yet.", "Sie haben noch nichts bestellt.")
    static let noOrder = Text("You have no such order.", "Diese Bestellung haben Sie nicht.")
    static let orders = Text("Orders", "Bestellungen")
    static let password = Text("Password", "Passwort")
    static let placeOrder = Text("Place order", "Bestellen")
    static let placingFailed = Text("The order did not come through.", "Die Bestellung kam nicht an.")
    static let pricesFailed = Text("The prices cannot be loaded.", "Die Preise lassen sich nicht laden.")
    static let remove = Text("Remove", "Entfernen")
    static let save = Text("Save address", "Adresse sichern")
    static let search = Text("Search", "Suchen")
    static let standardDelivery = Text("Standard, three days", "Standard, drei Tage")
    static let street = Text("Street", "Straße")
    static let switzerland = Text("Switzerland", "Schweiz")
    static let tryAgain = Text("Try again", "Noch einmal")
    static let user = Text("User", "Benutzer")
    static let wait = Text("Wait", "Warten")
    static let wrongPassword = Text("The password is wrong.", "Das Passwort ist falsch.")
    static let zip = Text("Zip", "Postleitzahl")

    static func count(_ count: Int) -> Text { Text("Quantity \(count)", "Menge \(count)") }
    static func digits(_ count: Int) -> Text {
        Text("Enter a zip of \(count) digits.", "Geben Sie eine Postleitzahl mit \(count) Ziffern ein.")
    }
    static func notFound(_ query: String) -> Text {
        Text("Nothing matches “\(query)”.", "Nichts gefunden für „\(query)“.")
    }
    static func order(_ number: Int) -> Text { Text("Order \(number)", "Bestellung \(number)") }
    static func soldOut(_ name: Text) -> Text { Text("Sold out: \(name[.en])", "Ausverkauft: \(name[.de])") }
    static func total(_ cents: Int) -> Text { Text("Total \(money(cents)[.en])", "Summe \(money(cents)[.de])") }

    static func money(_ cents: Int) -> Text {
        let (sign, whole, rest) = (cents < 0 ? "−" : "", abs(cents) / 100, abs(cents) % 100)
        let decimals = rest < 10 ? "0\(rest)" : "\(rest)"
        return Text("\(sign)€\(whole).\(decimals)", "\(sign)\(whole),\(decimals) €")
    }
}

extension Order.State {
    /// What the state means to the customer; `nil` as long as there is nothing to say.
    var text: Text? {
        switch self {
        case .placed: nil
        case .cancelling: .isBeingCancelled
        case .cancelled: .cancelled
        case .uncancellable: .cannotBeCancelled
        }
    }
}
