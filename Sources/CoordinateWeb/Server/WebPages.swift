internal import Coordinate
internal import CoordinateServer
internal import JSON
internal import MicroHTTPD

/// The app as web pages: their look, their language, and their responses.
struct WebPages: Sendable {
    /// The folder of the files that pages load.
    private static let folder = "/web/"
    private static let theme = folder + "theme.css"
    private static let icon = "/favicon.svg"

    let look: PageLook
    /// The locale of sessions that set none; `nil` if sessions of the app have no locale.
    private let locale: String?
    /// The names of the query items that routes of the app declare.
    private let queryNames: Set<String>

    /// - Parameters:
    ///   - theme: The path of the app's own style sheet; empty for none.
    ///   - files: The files that the server serves, to which those of pages are added.
    init(of app: any CoordinatedApp, _ theme: String, _ files: inout PublicFiles) throws(ServerError) {
        files.insertShippedFiles(below: Self.folder)
        guard theme.isEmpty || files.insert(fileAt: theme, as: Self.theme) else {
            throw .configuration("The style sheet \(theme) cannot be read. Name another file as webTheme.")
        }
        look = PageLook(
            styleSheets: [Self.folder + "app.css"] + (theme.isEmpty ? [] : [Self.theme]),
            icon: files.include(Self.icon) ? Self.icon : nil, script: Self.folder + "app.js")
        queryNames = Set(
            app.routes.patterns.flatMap { pattern in
                pattern.drop { $0 != "?" }.dropFirst().split(separator: "&").map { item in
                    String(item.prefix { $0 != "=" })
                }
            })
        locale = app.declaredOptions.first { $0.name == Self.localeName }.map { $0.defaultValue.string ?? "" }
    }

    private static let localeName = "locale"

    /// The language of a session with some options.
    func language(of options: PlainValue) -> PageLanguage {
        locale.map { PageLanguage(locale: options[field: Self.localeName]?.string ?? $0) } ?? .english
    }

    /// A path as the app knows it, of one that may come from elsewhere: without query items that no route declares, such
    /// as those by which mailers recognize readers, and without one slash at the end.
    func link(_ path: String) -> String {
        let end = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
        var parts = path[..<end]
        if parts.utf8.count > 1, parts.utf8.last == UInt8(ascii: "/") { parts.unicodeScalars.removeLast() }
        let items = path[end...].utf8.dropFirst().split(separator: UInt8(ascii: "&")).map { Substring($0) }
            .filter { item in RoutePath("/?\(item)")?.query.first.map { queryNames.contains($0.name) } ?? false }
        return String(parts) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    // MARK: Responses

    /// A page. No cache keeps it: it is the state of one session.
    static func response(_ html: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: pageHeaders + headers, body: html)
    }

    /// A redirect to an address of this server, to which the browser sends a `GET`.
    static func redirect(to address: String, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(
            status: .seeOther, headers: [.location: address, .cacheControl: "no-store"] + headers)
    }

    private static let pageHeaders: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
        connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """,
        // With `no-referrer`, browsers would send the origin of forms as null.
        .referrerPolicy: "same-origin", .xContentTypeOptions: "nosniff",
    ]

    /// The page for a link that another site led to: with a link to the same address.
    func continuation(to address: LocalAddress, in app: String) -> HTTPResponse {
        let page = MessagePage(
            title: app, message: "Another site led you here.", links: [.init("Continue", to: address.text)], look: look)
        return Self.response(page.html)
    }

    /// The page for a form of another session than the browser's.
    var pageForOtherSession: HTTPResponse {
        let page = MessagePage(
            title: "Another session",
            message: "You pressed on a page of another session than this browser is in now. Nothing was done.",
            links: [Self.continuationLink], look: look)
        return Self.response(page.html, status: .conflict)
    }

    private static let continuationLink = MessagePage.Link("Continue in the app", to: PageAddress.root)

    // MARK: Problems

    /// The page for a response with a problem; any other response stays the same.
    ///
    /// - Parameter offersNewSession: Whether a user whose session is lost may begin another one.
    func page(for response: HTTPResponse, offersNewSession: Bool = true) -> HTTPResponse {
        guard response.headers[.contentType] == Problem.mediaType,
            let document = try? JSONParser.parse(response.body.bytes),
            let kind = document[field: "type"]?.string.flatMap({ Problem.Kind(rawValue: String($0.dropFirst(10))) })
        else { return response }
        let nearest = document[field: "didYouMean"]?.string
        let page = MessagePage(
            title: document[field: "title"]?.string ?? "",
            message: Self.advice(on: kind, nearest, offersNewSession) ?? document[field: "detail"]?.string ?? "",
            links: Self.links(for: kind, nearest), offersNewSession: offersNewSession && Self.sessionIsLost(kind),
            look: look)
        let headers = HTTPFields(
            response.headers.filter { field in
                Self.pageHeaders[field.name] == nil
            })
        let status = kind == .unknownPath ? Problem.Kind.notFound.status : response.status
        return HTTPResponse(
            status: status, headers: Self.pageHeaders + headers, body: HTTPBody(page.html),
            closesConnection: response.closesConnection)
    }

    /// The advice for a person, if the problem's own is for programs.
    private static func advice(on kind: Problem.Kind, _ nearest: String?, _ offersNewSession: Bool) -> String? {
        switch kind {
        case _ where sessionIsLost(kind) && !offersNewSession:
            "Your session has ended or cannot continue. Ask for a new link where you got this one."
        case .operatorOnly: "Your link does not allow this. Ask for another one where you got it."
        case .unknownPath where nearest == nil: "The app has no screen at this address."
        case .sessionNotFound: "Your session has ended or expired. You can begin anew."
        case .appChanged: "The app has changed, and cannot continue your session. You can begin anew."
        case .damaged: "Your session cannot be read. You can begin anew."
        case .tooManyEvents: "Your session is full. You can begin anew."
        case .bodyTooLarge: "What you entered is too long. Go back, shorten it, and send it again."
        case .unauthorized: "Log in with the key of this server, and try again."
        case .crossOrigin: Problem.foreignForm.detail
        default: nil
        }
    }

    /// Whether a user cannot continue in the session.
    private static func sessionIsLost(_ kind: Problem.Kind) -> Bool {
        [.sessionNotFound, .appChanged, .damaged, .tooManyEvents].contains(kind)
    }

    private static func links(for kind: Problem.Kind, _ nearest: String?) -> [MessagePage.Link] {
        switch kind {
        case _ where sessionIsLost(kind): []
        case .unauthorized: [.init("Log in", to: LoginPage.address + "?next=" + PageAddress.root)]
        default:
            (kind == .unknownPath ? nearest.map { [.init($0, to: PageAddress.of($0))] } ?? [] : [])
                + [continuationLink]
        }
    }
}
