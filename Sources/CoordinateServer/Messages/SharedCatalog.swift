internal import Coordinate
internal import MicroHTTPD

/// The catalog of an app, created when it is first requested, because that walks through the app.
final class SharedCatalog: Sendable {
    private let app: any CoordinatedApp
    private let headers: HTTPFields
    private let made = LazyValue<HTTPResponse>()

    /// - Parameters:
    ///   - page: The path of the app as web pages, to which a link leads (RFC 8288); `nil` if there are none.
    ///   - cookie: The name of the session's cookie, without a port. The link names it if it is not the usual one.
    init(of app: any CoordinatedApp, page: String?, cookie: String) {
        self.app = app
        headers =
            page.map { page in
                let name = cookie == "session" ? "" : "; cookie=\"\(cookie)\""
                return [.link: "<\(page)>; rel=\"alternate\"; type=\"text/html\"\(name)"]
            } ?? [:]
    }

    var response: HTTPResponse { made.value { .json(CatalogDocument.encode(app), headers: headers) } }
}
