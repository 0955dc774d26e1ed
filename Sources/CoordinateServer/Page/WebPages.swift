internal import Coordinate
internal import CoordinateWeb
internal import JSON
internal import MicroHTTPD

/// The app as web pages: their look, their language, and their responses.
struct WebPages: Sendable {
    /// The folder of the files that pages load.
    static let folder = "/web/"
    static let theme = folder + "theme.css"
    private static let icon = "/favicon.svg"

    let look: PageLook
    /// The locale of sessions that set none; `nil` if sessions of the app have no locale.
    private let locale: String?

    /// - Parameters:
    ///   - theme: The path of the app's own style sheet; empty for none.
    ///   - files: The files that the server serves, to which those of pages are added.
    init(of app: any CoordinatedApp, _ theme: String, _ files: inout PublicFiles) throws(UnreadableFolder) {
        try files.addWebFiles(theme: theme)
        look = PageLook(
            styleSheets: [Self.folder + "app.css"] + (theme.isEmpty ? [] : [Self.theme]),
            icon: files.file(at: Self.icon).map { _ in Self.icon }, script: Self.folder + "app.js")
        locale = app.declaredOptions.first { $0.name == Self.localeName }.map { $0.defaultValue.string ?? "" }
    }

    private static let localeName = "locale"

    /// The language of a session with some options.
    func language(of options: PlainValue) -> PageLanguage {
        locale.map { PageLanguage(locale: options[field: Self.localeName]?.string ?? $0) } ?? .english
    }

    // MARK: Responses

    /// A page. No cache keeps it: it is the state of one session.
    static func response(_ html: String, status: Int = 200, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: pageHeaders + headers, body: html)
    }

    /// A redirect to an address of this server, to which the browser sends a `GET`.
    static func redirect(to address: String, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(
            status: 303, headers: [.location: HTTPField.Value(address), .cacheControl: "no-store"] + headers)
    }

    private static let pageHeaders: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        "Content-Security-Policy": """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
        connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """,
        // With `no-referrer`, browsers would send the origin of forms as null.
        "Referrer-Policy": "same-origin", .xContentTypeOptions: "nosniff",
    ]

    // MARK: Problems

    /// The page for a response with a problem; any other response stays the same.
    func page(for response: HTTPResponse) -> HTTPResponse {
        guard response.headers[.contentType] == HTTPField.Value(Problem.mediaType),
            let document = try? JSONParser.parse(response.body.bytes),
            let kind = document[field: "type"]?.string.flatMap({ Problem.Kind(rawValue: String($0.dropFirst(10))) })
        else { return response }
        let nearest = document[field: "didYouMean"]?.string
        let page = MessagePage(
            title: document[field: "title"]?.string ?? "",
            message: Self.advice(on: kind, nearest) ?? document[field: "detail"]?.string ?? "",
            links: Self.links(for: kind, nearest), look: look)
        var headers = HTTPFields(
            response.headers.filter { field in
                Self.pageHeaders[field.name] == nil && field.name != .vary
            })
        // Otherwise the browser would continue to name the session that has ended.
        if kind == .sessionNotFound { headers.append(.setCookie, SessionCookie.removal) }
        let status = kind == .unknownPath ? Problem.Kind.notFound.status : response.status
        return HTTPResponse(
            status: status, headers: Self.pageHeaders + headers, body: HTTPBody(page.html),
            closesConnection: response.closesConnection)
    }

    /// The advice for a person, if the problem's own is for programs.
    private static func advice(on kind: Problem.Kind, _ nearest: String?) -> String? {
        switch kind {
        case .unknownPath where nearest == nil: "The app has no screen at this address."
        case .sessionNotFound: "Your session has ended or expired. You can begin anew."
        case .unauthorized: "Log in with the key of this server, and try again."
        case .crossOrigin: Problem.foreignForm.detail
        default: nil
        }
    }

    private static func links(for kind: Problem.Kind, _ nearest: String?) -> [MessagePage.Link] {
        switch kind {
        case .sessionNotFound: [.init("Begin anew", to: PageAddress.root)]
        case .unauthorized: [.init("Log in", to: LoginPage.address + "?next=" + PageAddress.root)]
        default:
            (kind == .unknownPath ? nearest.map { [.init($0, to: PageAddress.of($0))] } ?? [] : [])
                + [.init("Continue in the app", to: PageAddress.root)]
        }
    }
}
