internal import Coordinate
internal import MicroHTTPD

/// The catalog of an app, created when it is first requested, because that walks through the app.
final class SharedCatalog: Sendable {
    private let app: any CoordinatedApp
    private let made = LazyValue<HTTPResponse>()

    init(of app: any CoordinatedApp) {
        self.app = app
    }

    var response: HTTPResponse { made.value { .json(CatalogDocument.encode(app)) } }
}
