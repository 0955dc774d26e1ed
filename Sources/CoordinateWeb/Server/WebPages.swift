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
            app: app.name, styleSheets: [Self.folder + "tokens.css", Self.folder + "app.css", Self.theme],
            symbols: Self.folder + "symbols.svg",
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
            title: app, message: "Another site led you here.", links: [.init(title: "Continue", address: address.text)],
            look: look)
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

    private static let continuationLink = MessagePage.Link(title: "Continue in the app", address: PageAddress.root)

    // MARK: Problems

    /// The page for a response with a problem; any other response stays the same.
    ///
    /// - Parameters:
    ///   - target: The target of the request, for another try; `nil` for a form, which the browser has to send again.
    ///   - offersNewSession: Whether a user who cannot continue may begin another session.
    func page(for response: HTTPResponse, to target: String?, offersNewSession: Bool) -> HTTPResponse {
        guard response.headers[.contentType] == Problem.mediaType,
            let document = try? JSONParser.parse(response.body.bytes),
            let kind = document[field: "type"]?.string.flatMap({ Problem.Kind(rawValue: String($0.dropFirst(10))) })
        else { return response }
        let nearest = document[field: "didYouMean"]?.string
        var advice = Self.advice(on: kind, nearest, offersNewSession) ?? document[field: "detail"]?.string ?? ""
        if Self.isTemporary(kind) {
            let seconds = response.headers[.retryAfter].flatMap { Int($0) } ?? 1
            advice += seconds == 1 ? " Try again in a second." : " Try again in \(seconds) seconds."
        }
        let page = MessagePage(
            title: Self.title(of: kind), message: advice, links: Self.links(for: kind, to: target, nearest),
            offersNewSession: offersNewSession && (Self.sessionIsLost(kind) || Self.hasNoScreen(kind)),
            next: Self.sessionIsLost(kind) ? target.flatMap { Self.screen(at: $0) } : nil, look: look)
        let headers = HTTPFields(
            response.headers.filter { field in
                Self.pageHeaders[field.name] == nil
            })
        let status = kind == .unknownPath ? Problem.Kind.notFound.status : response.status
        return HTTPResponse(
            status: status, headers: Self.pageHeaders + headers, body: HTTPBody(page.html),
            closesConnection: response.closesConnection)
    }

    /// The address of a screen that a request was sent to; `nil` for the root, which is another screen in each session.
    private static func screen(at target: String) -> String? {
        target.utf8.starts(with: (PageAddress.root + "/").utf8) ? LocalAddress(ofTarget: target).text : nil
    }

    /// The heading for a person. That of a problem itself is for programs.
    private static func title(of kind: Problem.Kind) -> String {
        switch kind {
        case .notFound, .unknownPath: "Page not found"
        case .bodyTooLarge: "Too long"
        case .uriTooLong: "Address too long"
        case .headerTooLarge: "Too many cookies"
        case .damaged: "Session damaged"
        case .tooManyEvents: "Session full"
        case .operatorOnly: "Not allowed"
        case .unauthorized: "Log in"
        case .crossOrigin: "Page of another site"
        case .internalError: "Something went wrong"
        case .outcomeUnknown: "Check what was done"
        case .draining: "Server restarting"
        case .tooManySessions: "Server full"
        case .tooBusy, .memoryFull, .journalUnavailable: "Server busy"
        case .sessionNotFound, .appChanged, .tooManyAttempts, .unknownHost: kind.title
        default: "Not understood"
        }
    }

    /// The advice for a person on a press that was refused.
    static func advice(on problem: Problem) -> String {
        switch problem.kind {
        case .tooManyCoordinators: "Too many screens are open. Go back, and try again."
        case .unknownPath: "The app has no such screen."
        default: RefusedForm.notOffered
        }
    }

    /// The advice for a person; `nil` if the problem's own suits.
    private static func advice(on kind: Problem.Kind, _ nearest: String?, _ offersNewSession: Bool) -> String? {
        switch kind {
        case _ where sessionIsLost(kind) && !offersNewSession:
            "Your session has ended or cannot continue. Ask for a new link where you got this one."
        case .operatorOnly: "Your link does not allow this. Ask for another one where you got it."
        case .notFound, .unknownPath:
            "The app has no screen at this address." + (nearest == nil ? "" : " Did you mean this one?")
        case .sessionNotFound: "Your session has ended or expired. You can begin anew."
        case .appChanged: "The app has changed, and cannot continue your session. You can begin anew."
        case .damaged: "Your session cannot be read. You can begin anew."
        case .tooManyEvents: "Your session is full. You can begin anew."
        case .bodyTooLarge: "What you entered is too long. Go back, shorten it, and send it again."
        case .uriTooLong: "This address is too long. Open the app, and look for the screen there."
        case .headerTooLarge: "Your browser sent too many cookies. Delete those of this site, and try again."
        case .unauthorized: "Log in with the key of this server, and try again."
        case .crossOrigin: Problem.foreignForm.detail
        case .draining: "The server is about to restart."
        case .tooManySessions: "As many people use the app as this server allows."
        case .tooBusy, .memoryFull: "Too many people use the app at the moment."
        case .journalUnavailable: "The app cannot be used at the moment."
        case .outcomeUnknown:
            "It is not known whether your press was carried out. Open the app, and check before you press again."
        case .unknownHost, .tooManyAttempts, .internalError: nil
        default: "Your browser sent something that this server does not understand. Open the app, and try again there."
        }
    }

    /// Whether a user cannot continue in the session.
    private static func sessionIsLost(_ kind: Problem.Kind) -> Bool {
        [.sessionNotFound, .appChanged, .damaged, .tooManyEvents].contains(kind)
    }

    /// Whether the session has no screen to show at the address, and may have none elsewhere.
    private static func hasNoScreen(_ kind: Problem.Kind) -> Bool {
        [.notFound, .unknownPath, .internalError].contains(kind)
    }

    /// Whether the same request is answered a little later.
    private static func isTemporary(_ kind: Problem.Kind) -> Bool {
        [.draining, .tooManySessions, .tooBusy, .memoryFull, .journalUnavailable].contains(kind)
    }

    private static func links(for kind: Problem.Kind, to target: String?, _ nearest: String?) -> [MessagePage.Link] {
        switch kind {
        // No link to the same host helps.
        case .unknownHost: []
        case _ where sessionIsLost(kind): []
        case .unauthorized: [.init(title: "Log in", address: LoginPage.address + "?next=" + PageAddress.root)]
        case _ where isTemporary(kind) || kind == .headerTooLarge:
            [.init(title: "Try again", address: target.map { LocalAddress(ofTarget: $0).text } ?? PageAddress.root)]
        default:
            (kind == .unknownPath ? nearest.map { [.init(title: $0, address: PageAddress.of($0))] } ?? [] : [])
                + [continuationLink]
        }
    }
}
