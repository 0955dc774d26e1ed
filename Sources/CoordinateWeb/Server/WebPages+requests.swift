internal import Coordinate
public import CoordinateServer
internal import CoordinateSessions
internal import MicroHTTPD

extension HostEndpoint {
    /// The app as web pages, at `/app`.
    ///
    /// - Parameter theme: The path of a style sheet that gives the pages the app's own look; empty for none.
    public static func webPages(theme: String = "") -> HostEndpoint {
        HostEndpoint { parts throws(ServerError) in
            let pages = try WebPages(of: parts.app, theme, &parts.files)
            parts.pages = PageFolder(root: PageAddress.root, bodyPlan: WebPages.bodyPlan) { api, request, requester in
                let mayBegin = requester?.may(.begin) == true || api.letsClientsBegin || !api.hasKey
                let target = request.method == .post ? nil : LocalAddress.target(of: request)
                return { pages.page(for: $0, to: target, offersNewSession: mayBegin) }
            }
            parts.endpoints += [
                Endpoint(.get, "/app", WebPages.rightToOpen, isPage: true) { try pages.getApp($0, $1, $2) },
                Endpoint(.post, "/app", .use, isPage: true) { try pages.postForm($0, $1, $2) },
                Endpoint(.get, "/app/login", .read, isPage: true) { try pages.getLoginPage($0, $1, $2) },
                Endpoint(.post, "/app/login", [], isPage: true) { api, request, _ in
                    try pages.postLoginForm(api, request)
                },
                Endpoint(.get, "/app/{path}", .read, isPage: true) { try pages.getPage($0, $1, $2) },
            ]
        }
    }
}

extension WebPages {
    /// The name of the query item with a token.
    private static let tokenItem = "token"
    /// The name of the query item with the moment that a tab of the browser shows.
    private static let sinceItem = "since"

    /// The right to open the app: a token in the query is itself the right.
    @Sendable
    fileprivate static func rightToOpen(_ request: borrowing HTTPRequest) -> Rights {
        request.hasQuery && request.queryValue(tokenItem) != nil ? [] : .read
    }

    // MARK: Showing the app

    /// `GET /app`: leads to the address of the session's screen, or shows the page that the query names.
    ///
    /// `?token=` gives a person's browser a token, so that another system can send the person to their session. `?since=`
    /// is for scripts: see ``PageOfSession/update(_:)``.
    fileprivate func getApp(
        _ api: API, _ request: borrowing HTTPRequest, _ passage: Passage
    ) throws(Problem) -> HTTPAnswer {
        if let token = request.queryValue(Self.tokenItem) {
            return .now(Self.redirect(to: PageAddress.root, headers: try api.accept(token: token, request)))
        }
        if let shown = request.queryValue(Self.sinceItem).flatMap(PageAddress.target), case .moment(let moment) = shown
        {
            return try show(nil, since: moment, to: request, passage, api)
        }
        guard let item = request.queryValue(PageAddress.item) else { return try show(nil, to: request, passage, api) }
        guard let target = PageAddress.target(item) else { throw .notFound }
        return try show(target, to: request, passage, api)
    }

    /// `GET /app/{path}`: the screen at a path of the app.
    fileprivate func getPage(
        _ api: API, _ request: borrowing HTTPRequest, _ passage: Passage
    ) throws(Problem) -> HTTPAnswer {
        let query = request.query.map { $0.isEmpty ? "" : "?" + $0 } ?? ""
        let path = String(request.path.dropFirst(PageAddress.root.count)) + query
        let link = link(path)
        guard link == path else {
            return .now(Self.redirect(to: LocalAddress(PageAddress.root + link)?.text ?? PageAddress.root))
        }
        return try show(.path(path), to: request, passage, api)
    }

    /// Answers with a page; for no page, with a redirect to the session's own.
    ///
    /// - Parameter moment: What a tab shows that only wants a later page of its session; `nil` for any other request.
    private func show(
        _ target: PageAddress.Target?, since moment: PageAddress.Moment? = nil, to request: borrowing HTTPRequest,
        _ passage: Passage, _ api: API
    ) throws(Problem) -> HTTPAnswer {
        let address = LocalAddress(ofTarget: LocalAddress.target(of: request))
        let named = try api.sessionInHeaders(of: request, passage)
        let visit = visit(of: request, to: address, isUpdate: moment != nil, passage, api)
        // The browser sends no cookies with a link from another site. With the link on this page, it does.
        if let continuation = visit.continuation, named == nil { return .now(continuation) }
        if passage.leadsToLogin {
            let next = PageAddress.queryValue(moment == nil ? address.text : PageAddress.root)
            return .now(Self.redirect(to: LoginPage.address + "?next=" + next))
        }
        if visit.isPrefetch, named == nil { return .now(.withoutPage) }
        return api.answerIn(named, for: request) { session, introduction in
            let page = PageOfSession(api, session, self, for: visit, introduction)
            // Of a new session, the tab shows nothing yet.
            if let moment, introduction.isEmpty { return try await page.update(moment) }
            return try await page.show(target)
        }
    }

    private func visit(
        of request: borrowing HTTPRequest, to address: LocalAddress, isUpdate: Bool = false, _ passage: Passage,
        _ api: API
    ) -> PageVisit {
        let (isHead, isPrefetch) = (request.method == .head, request.isPrefetch)
        let cookies = api.cookies(of: request)
        // A page that its user does not see says nothing, and what another tab is about to say is left to it.
        let notice = isHead || isPrefetch || isUpdate ? nil : request.cookie(cookies.notice) { $0.utf8.count < 16 }
        return PageVisit(
            requester: passage.requester, isHead: isHead, isPrefetch: isPrefetch,
            continuation: api.isCrossSite(request) ? continuation(to: address, in: api.app.name) : nil,
            traceparent: request.addedToAnswer[.traceparent],
            notice: notice.flatMap(PageNotice.init), cookies: cookies)
    }

    // MARK: Forms

    /// The largest body of a form, in bytes.
    private static let formLimit = 1024 * 1024
    /// The largest body of a form that is read in order to refuse it, in bytes. A browser shows no answer to a body that
    /// was not read.
    private static let refusedFormLimit = 16 * 1024 * 1024

    /// The plan for the body of a form. That of a refused one is read, and the form is refused after it.
    @Sendable
    fileprivate static func bodyPlan(
        _ api: API, _ request: borrowing HTTPRequest, _ isRefused: Bool
    ) -> HTTPBodyPlan? {
        let limit = max(formLimit, api.bodyLimit)
        let length = request.header(.contentLength).flatMap { Int($0) } ?? 0
        if isRefused || length > limit, !request.hasHeader(.expect) {
            return .stream(to: IgnoredBody(), limit: refusedFormLimit)
        }
        return isRefused ? nil : .collect(limit: limit)
    }

    /// A form that is too large, or refused. Its parts are dropped.
    private final class IgnoredBody: HTTPBodyReceiver {
        func receive(_ part: [UInt8]) {}
    }

    /// The form in a request.
    private func form(in request: borrowing HTTPRequest, _ api: API) throws(Problem) -> FormData {
        try api.checkIsOwnForm(request)
        guard request.isOfType(FormData.mediaType) else {
            throw Problem(
                .unsupportedMediaType, "Forms must be \(FormData.mediaType) in UTF-8, as browsers send them.")
        }
        guard request.receiver == nil else { throw Problem(HTTPRefusal(.bodyTooLarge(limit: Self.formLimit))) }
        do throws(FormData.Refusal) {
            return try FormData(request.body)
        } catch {
            guard error == .tooManyFields else { throw .longMarkRun }
            throw Problem(.bodyTooLarge, "The form must not have more than \(FormData.maximumFieldCount) fields.")
        }
    }

    /// `POST /app`: presses the button of an action, or begins a new session.
    fileprivate func postForm(
        _ api: API, _ request: borrowing HTTPRequest, _ passage: Passage
    ) throws(Problem) -> HTTPAnswer {
        let data = try form(in: request, api)
        let address = LocalAddress(ofTarget: LocalAddress.target(of: request))
        let visit = visit(of: request, to: address, passage, api)
        if data.value(of: MessagePage.newSessionField) != nil {
            guard passage.requester.may(.begin) || api.letsClientsBegin else {
                throw api.refusal(of: request, by: passage.requester)
            }
            // Without its token, the browser can be in another session.
            let isOfToken = !passage.requester.may(.begin)
            let withoutToken = isOfToken ? visit.cookies.login("") : [:]
            let next = data.value(of: LoginPage.nextField).flatMap { LocalAddress($0) }
            return api.answerIn(nil, for: request) { session, introduction in
                if let next { return Self.redirect(to: next.text, headers: introduction + withoutToken) }
                return try await PageOfSession(api, session, self, for: visit, introduction + withoutToken).show(nil)
            }
        }
        let form: SubmittedForm
        do throws(SubmittedForm.Malformation) {
            form = try SubmittedForm(data)
        } catch {
            throw .malformedRequest(error.description)
        }
        guard let named = try api.sessionInHeaders(of: request, passage) else { throw .sessionNotFound }
        return api.answerIn(named, for: request) { session, introduction in
            try await PageOfSession(api, session, self, for: visit, introduction).press(form)
        }
    }

    // MARK: The login

    /// `GET /app/login`: the page with a form for the key. On a server without a key, or for a client that has sent it,
    /// it is an address of the app like any other.
    fileprivate func getLoginPage(
        _ api: API, _ request: borrowing HTTPRequest, _ passage: Passage
    ) throws(Problem) -> HTTPAnswer {
        let next = request.queryValue(LoginPage.nextField)
        guard api.hasKey, next != nil || passage.leadsToLogin else { return try getPage(api, request, passage) }
        return .now(Self.response(LoginPage(next: Self.destination(next), look: look).html))
    }

    /// `POST /app/login`: gives browsers a cookie in place of the key, and leads to where the user came from.
    fileprivate func postLoginForm(_ api: API, _ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let form = try form(in: request, api)
        let next = Self.destination(form.value(of: LoginPage.nextField))
        do throws(Problem) {
            let login = try api.logIn(with: form.value(of: "key") ?? "", request)
            return .now(Self.redirect(to: next, headers: login))
        } catch {
            let reason = error.kind == .unauthorized ? "This is not the key of this server." : error.detail
            let page = LoginPage(next: next, error: reason, look: look)
            return .now(Self.response(page.html, status: error.status, headers: error.headers))
        }
    }

    private static func destination(_ next: String?) -> String {
        next.flatMap { LocalAddress($0) }?.text ?? PageAddress.root
    }
}

extension HTTPRequest {
    /// Whether the browser only loads the page ahead. Older browsers have other headers for it.
    fileprivate var isPrefetch: Bool {
        for name: HTTPField.Name in [.secPurpose, .purpose, .xPurpose, .xMoz] {
            guard let purpose = header(name)?.lowercased() else { continue }
            if purpose.contains("prefetch") || purpose.contains("preview") { return true }
        }
        return false
    }
}
