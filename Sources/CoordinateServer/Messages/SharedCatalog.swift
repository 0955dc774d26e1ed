internal import Coordinate
internal import MicroHTTPD

/// The catalog of an app, created when it is first requested, because that walks through the app.
final class SharedCatalog: Sendable {
    private let app: any CoordinatedApp
    private let headers: HTTPFields
    private let made = LazyValue<HTTPResponse>()

    /// - Parameter hasPages: Whether the app can be used as web pages. Then a link leads to them (RFC 8288).
    init(of app: any CoordinatedApp, hasPages: Bool) {
        self.app = app
        headers = hasPages ? ["Link": "</app>; rel=\"alternate\"; type=\"text/html\""] : [:]
    }

    var response: HTTPResponse { made.value { .json(CatalogDocument.encode(app), headers: headers) } }
}
