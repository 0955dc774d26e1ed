internal import Coordinate
internal import MicroHTTPD

/// The catalog of an app, created when it is first requested, because that walks through the app.
final class SharedCatalog: Sendable {
    private let app: any CoordinatedApp
    private let headers: HTTPFields
    private let made = LazyValue<HTTPResponse>()

    /// - Parameter cookie: The name of the session's cookie, without a port, if the app can be used as web pages; `nil`
    ///   otherwise. A link leads to the pages (RFC 8288), and names the cookie if it is not the usual one.
    init(of app: any CoordinatedApp, cookie: String?) {
        self.app = app
        headers =
            cookie.map { cookie in
                let name = cookie == "session" ? "" : "; cookie=\"\(cookie)\""
                return [.link: "</app>; rel=\"alternate\"; type=\"text/html\"\(name)"]
            } ?? [:]
    }

    var response: HTTPResponse { made.value { .json(CatalogDocument.encode(app), headers: headers) } }
}
