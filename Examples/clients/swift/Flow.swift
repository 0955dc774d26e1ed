// The flow with the client that OpenAPI Generator writes (`swift6`) for the Shop.
import Foundation
import OpenAPIClient

func flow(url: String) async throws {
    let server = OpenAPIClientAPIConfiguration(basePath: url)

    // Begin a session with one of the app's options, and wait until its prices are loaded.
    let id = try await SessionsAPI.postSession(
        newSession: NewSession(path: "/catalogue", options: Options(locale: .de)), apiConfiguration: server
    ).id
    func settled() async throws -> Route {
        try await NavigationAPI.getSessionRoute(id: id, until: .settled, prefer: "wait=30", apiConfiguration: server)
    }
    print("loaded:", try await settled().screen.title ?? "")

    // Each event has a type.
    @discardableResult
    func send(_ event: Event) async throws -> Outcome {
        try await NavigationAPI.postSessionEvent(id: id, event: event, apiConfiguration: server)
    }
    let select = CatalogueDidSelect(event: .didSelect, payload: CatalogueDidSelectPayload(product: .lamp))
    try await send(.typeCatalogueDidSelect(select))
    let put = CartPut(event: .put, payload: CartPutPayload(product: .lamp, count: 2))
    let outcome = try await send(.typeCartPut(put))
    print("in the cart:", outcome.route?.navigation.tabs[1].badge ?? "")
    do {
        try await send(.typeCartOfferDidExpire(CartOfferDidExpire(event: .offerDidExpire)))
    } catch ErrorResponse.error(let status, let body?, _, _) {
        print("refused:", status, try JSONDecoder().decode(Problem.self, from: body).type)
    }

    // A link that needs a login, which is work.
    _ = try await NavigationAPI.putSessionRoute(id: id, link: Link(path: "/checkout"), apiConfiguration: server)
    let login = AccountLogInPayload(user: "anna", password: "open sesame")
    try await send(.typeAccountLogIn(AccountLogIn(event: .logIn, payload: login)))
    print("logged in:", try await settled().path)

    // A form is an action with inputs. The app itself refuses what does not fit.
    var address = AddressSubmitPayload(name: "Anna Berg", street: "Seeweg 3", zip: "80", country: .ch)
    let wrong = try await send(.typeAddressSubmit(AddressSubmit(event: .submit, payload: address)))
    print("wrong:", wrong.route?.screen.actions[0].inputs?.first { $0.error != nil }?.field ?? "")
    address.zip = "8001"
    let delivery = try await send(.typeAddressSubmit(AddressSubmit(event: .submit, payload: address)))

    // An action is an event as it is.
    if let action = delivery.route?.screen.actions[0] {
        try await send(JSONDecoder().decode(Event.self, from: JSONEncoder().encode(action)))
    }
    try await send(.typeCheckoutPlaceOrder(CheckoutPlaceOrder(event: .placeOrder)))
    print("ordered:", try await settled().screen.name)

    // Fork the session as it was at version 3, and export the journal.
    let fork = try await SessionsAPI.postFork(id: id, fork: Fork(version: 3), apiConfiguration: server)
    print("forked:", fork.path, fork.parent?.version ?? 0)
    let page = NavigationAPI.getSessionEventsWithRequestBuilder(id: id, apiConfiguration: server)
    let journal = try await URLSessionDecodableRequestBuilder<String>(
        method: page.method, URLString: page.URLString, parameters: nil, headers: ["Accept": "application/x-ndjson"],
        requiresAuthentication: false, apiConfiguration: server
    ).execute().body
    let lines = journal.split(separator: "\n")
    let header = try JSONDecoder().decode([String: JSONValue].self, from: Data(lines[0].utf8))
    print("exported:", header["app"]?.stringValue ?? "", lines.count - 1)
}
