internal import Coordinate
internal import CoordinateSessions
internal import CoordinateWeb
internal import MicroHTTPD

extension API {
    /// Converts the answer to a request of a person: problems become pages, and JSON is indented.
    ///
    /// - Parameter redaction: The replacement before that; `nil` for none.
    func convertForPeople(_ request: borrowing HTTPRequest, redaction: Redaction? = nil) {
        if isForPage(request), let pages {
            let mayBegin = access.clients.mayBegin || access.key == nil
            request.convertAnswer { response in pages.page(for: response, offersNewSession: mayBegin) }
        } else if request.wantsIndentedJSON {
            request.convertAnswer { response in (redaction?(response) ?? response).indented }
        } else if let redaction {
            request.convertAnswer { response in redaction(response) }
        }
    }

    /// Whether a request is for a page, and pages are not turned off.
    private func isForPage(_ request: borrowing HTTPRequest) -> Bool {
        pages != nil && request.withPath { path in path.hasPart(PageAddress.root.utf8.span, at: 0) }
    }

    // MARK: Showing the app

    /// `GET /app`: leads to the address of the session's screen, or shows the page that the query names.
    ///
    /// `?token=` gives a person's browser a token, so that another system can send the person to their session.
    func getApp(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        if let token = request.queryValue(Self.tokenItem) { return .now(try accept(token, request)) }
        guard let item = request.queryValue(PageAddress.item) else { return try show(nil, to: request, passage) }
        guard let target = PageAddress.target(item) else { throw .notFound }
        return try show(target, to: request, passage)
    }

    /// `GET /app/{path}`: the screen at a path of the app.
    func getPage(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let query = request.query.map { $0.isEmpty ? "" : "?" + $0 } ?? ""
        let path = String(request.path.dropFirst(PageAddress.root.count)) + query
        if let link = pages?.link(path), link != path {
            return .now(WebPages.redirect(to: LocalAddress(PageAddress.root + link)?.text ?? PageAddress.root))
        }
        return try show(.path(path), to: request, passage)
    }

    /// Answers with a page; for no page, with a redirect to the session's own.
    private func show(
        _ target: PageAddress.Target?, to request: borrowing HTTPRequest, _ passage: Passage
    ) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        let address = LocalAddress(of: request)
        let named = try sessionInHeaders(of: request, passage)
        let visit = visit(of: request, to: address, passage, pages)
        // The browser sends no cookies with a link from another site. With the link on this page, it does.
        if let continuation = visit.continuation, named == nil { return .now(continuation) }
        if passage.leadsToLogin {
            let next = PageAddress.queryValue(address.text)
            return .now(WebPages.redirect(to: LoginPage.address + "?next=" + next))
        }
        if visit.isPrefetch, named == nil { return .now(.withoutPage) }
        return answerIn(named, for: request) { session, introduction in
            PageOfSession(self, session, pages, for: visit, introduction).show(target)
        }
    }

    private func visit(
        of request: borrowing HTTPRequest, to address: LocalAddress, _ passage: Passage, _ pages: WebPages
    ) -> PageVisit {
        let (isHead, isPrefetch) = (request.method == .head, request.isPrefetch)
        // A page that its user does not see says nothing.
        let notice =
            isHead || isPrefetch ? nil : request.cookie(access.cookies.notice(of: request)) { $0.utf8.count < 16 }
        return PageVisit(
            client: client(of: request), requester: passage.requester, isHead: isHead, isPrefetch: isPrefetch,
            continuation: isCrossSite(request) ? pages.continuation(to: address, in: app.name) : nil,
            traceparent: request.addedToAnswer[.traceparent],
            notice: notice.flatMap(PageNotice.init),
            cookies: cookies(of: request))
    }

    // MARK: Forms

    /// The largest body of a form, in bytes.
    static let formLimit = 1024 * 1024
    /// The largest body of a form that is read in order to refuse it, in bytes. A browser shows no answer to a body that
    /// was not read.
    private static let refusedFormLimit = 16 * 1024 * 1024

    /// The plan for the body of a request for a page; `nil` for other requests.
    func planOfForm(_ request: borrowing HTTPRequest) -> HTTPBodyPlan? {
        guard isForPage(request) else { return nil }
        let limit = max(Self.formLimit, bodyLimit)
        let length = request.header(.contentLength).flatMap { Int($0) } ?? 0
        if length > limit, !request.hasHeader(.expect) {
            return .stream(to: IgnoredBody(), limit: Self.refusedFormLimit)
        }
        return .collect(limit: limit)
    }

    /// The plan for the body of a form that is refused; `nil` for other requests. The body is read, and the form is
    /// refused after it.
    func planOfRefusedForm(_ request: borrowing HTTPRequest) -> HTTPBodyPlan? {
        guard isForPage(request), !request.hasHeader(.expect) else { return nil }
        return .stream(to: IgnoredBody(), limit: Self.refusedFormLimit)
    }

    /// A form that is too large, or refused. Its parts are dropped.
    private final class IgnoredBody: HTTPBodyReceiver {
        func receive(_ part: [UInt8]) {}
    }

    /// The form in a request.
    private func form(in request: borrowing HTTPRequest) throws(Problem) -> FormData {
        try checkIsOwnForm(request)
        guard request.isOfType(FormData.mediaType) else { throw .notAForm }
        guard request.receiver == nil else { throw Problem(HTTPRefusal(.bodyTooLarge(limit: Self.formLimit))) }
        do throws(FormData.Refusal) {
            return try FormData(request.body)
        } catch {
            throw error == .tooManyFields ? .tooManyFields : .longMarkRun
        }
    }

    /// `POST /app`: presses the button of an action, or begins a new session.
    func postForm(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        let data = try form(in: request)
        let visit = visit(of: request, to: LocalAddress(of: request), passage, pages)
        if data.value(of: MessagePage.newSessionField) != nil {
            guard passage.requester.may(.begin) || access.clients.mayBegin else {
                throw refusal(of: request, by: passage.requester)
            }
            // Without its token, the browser can be in another session.
            let isOfToken = !passage.requester.may(.begin)
            let withoutToken: HTTPFields = isOfToken ? [.setCookie: cookies(of: request).login("")] : [:]
            return answerIn(nil, for: request) { session, introduction in
                PageOfSession(self, session, pages, for: visit, introduction + withoutToken).show(nil)
            }
        }
        let form: SubmittedForm
        do throws(SubmittedForm.Malformation) {
            form = try SubmittedForm(data)
        } catch {
            throw .malformedRequest(error.description)
        }
        guard let named = try sessionInHeaders(of: request, passage) else { throw .sessionNotFound }
        return answerIn(named, for: request) { session, introduction in
            PageOfSession(self, session, pages, for: visit, introduction).press(form)
        }
    }

    // MARK: The login

    /// The name of the query item with a token.
    static let tokenItem = "token"

    /// Gives a browser the token for a session in a cookie, and leads to the session's page.
    private func accept(_ text: String, _ request: borrowing HTTPRequest) throws(Problem) -> HTTPResponse {
        guard let key = access.key else { throw .noAPIKey }
        guard case .session(let token)? = key.tokens.content(of: text) else {
            // A page of another site must not use up its visitor's attempts.
            if !isCrossSite(request) { try judge(false, of: request) }
            throw .unauthorized
        }
        let lifetime = token.end - sessions.host.clock.timestamp().seconds
        guard lifetime > 0 else { throw .tokenExpired }
        return WebPages.redirect(
            to: PageAddress.root, headers: cookies(of: request).token(text, lifetime: lifetime))
    }

    /// `GET /app/login`: the page with a form for the key. On a server without a key, or for a client that has sent it,
    /// it is an address of the app like any other.
    func getLoginPage(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        let next = request.queryValue("next")
        guard access.key != nil, next != nil || passage.leadsToLogin else { return try getPage(request, passage) }
        let page = LoginPage(next: Self.destination(next), look: pages.look)
        return .now(WebPages.response(page.html))
    }

    /// `POST /app/login`: gives browsers a cookie in place of the key, and leads to where the user came from.
    func postLoginForm(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        let form = try form(in: request)
        let next = Self.destination(form.value(of: "next"))
        guard let key = access.key else { return .now(WebPages.redirect(to: next)) }
        do throws(Problem) {
            let cookie = try logIn(with: form.value(of: "key") ?? "", key, request)
            return .now(WebPages.redirect(to: next, headers: [.setCookie: cookie]))
        } catch {
            let reason = error.kind == .unauthorized ? "This is not the key of this server." : error.detail
            let page = LoginPage(next: next, error: reason, look: pages.look)
            return .now(WebPages.response(page.html, status: error.status, headers: error.headers))
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
