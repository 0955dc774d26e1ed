package import Coordinate
internal import MicroHTTPD

/// The catalog of an app, and the API's description for it, each created when it is first requested, because that walks
/// through the app.
final class SharedCatalog: Sendable {
    private let app: any CoordinatedApp
    private let headers: HTTPFields
    private let census = LazyValue<CoordinatorCensus>()
    private let catalog = LazyValue<HTTPResponse>()
    private let description = LazyValue<PublicFile>()

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

    var response: HTTPResponse {
        catalog.value { .json(CatalogDocument.encode(app, takenCensus), headers: headers) }
    }

    /// The description with the app's types, and with `?generic` the one that fits every app.
    func description(insteadOf general: PublicFile) -> PublicFile {
        description.value {
            let content = AppDescription.encode(app, takenCensus, general: general.content)
            return PublicFile(content, name: PublicFiles.descriptionPath, variant: ("generic", general))
        }
    }

    private var takenCensus: CoordinatorCensus { census.value { CoordinatorCensus(app) } }
}

extension ShippedPage {
    /// The API's description with the types of an app; `nil` if the general one is missing.
    package static func description(of app: any CoordinatedApp) -> [UInt8]? {
        description.map { AppDescription.encode(app, CoordinatorCensus(app), general: $0) }
    }
}
