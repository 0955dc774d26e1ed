internal import Coordinate
internal import CoordinateSessions
internal import CoordinateWeb
internal import MicroHTTPD

extension API {
    /// Converts the answer to a request of a person: problems become pages, and JSON is indented.
    func convertForPeople(_ request: borrowing HTTPRequest) {
        if request.withPath({ path in path.hasPart(PageAddress.root.utf8.span, at: 0) }), let pages {
            request.convertAnswer { response in pages.page(for: response) }
        } else if request.wantsIndentedJSON {
            request.convertAnswer { response in response.indented }
        }
    }

    // MARK: Showing the app

    /// `GET /app`: leads to the address of the session's screen.
    func getApp(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        try show(nil, to: request)
    }

    /// `GET /app/{path}`: the screen at a path of the app.
    func getPage(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let query = request.query.map { $0.isEmpty ? "" : "?" + $0 } ?? ""
        return try show(String(request.path.dropFirst(PageAddress.root.count)) + query, to: request)
    }

    /// Answers with the screen at a path; for no path, with a redirect to the session's own.
    private func show(_ path: String?, to request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        let address = LocalAddress(of: request)
        let named = try namedSession(of: request)
        let isForeign = isCrossSite(request)
        // The browser sends no cookies with a link from another site. With the link on this page, it does.
        if isForeign, named == nil { return .now(continuation(to: address, pages)) }
        if let login = try leadToLogin(request, from: address) { return .now(login) }
        let isPrefetch = request.header("Sec-Purpose")?.contains("prefetch") == true
        if isPrefetch, named == nil { return .now(HTTPResponse(status: 204, headers: [.cacheControl: "no-store"])) }
        let client = client(of: request)
        let executor = executor(of: client)
        let isHead = request.method == .head
        let link = path.map { path in
            var link = EventRequest(opening: path)
            link.traceparent = request.addedToAnswer[.traceparent]?.rawValue
            return (path: path, injection: EventInjection(link, wantsRoute: false))
        }
        return answerIn(named, for: request) { session, introduction in
            let shown = PageOfSession(session, pages, for: client, executor, introduction)
            return session.navigationState(for: client).flatMap(on: executor) { version, state in
                guard let link else { return .now(shown.redirect(to: state.path)) }
                if state.isAt(link.path) { return .now(shown.page(of: state, version)) }
                if isForeign { return .now(self.continuation(to: address, pages)) }
                if isPrefetch { return .now(HTTPResponse(status: 204, headers: [.cacheControl: "no-store"])) }
                if isHead {
                    return session.check(link: link.path, for: client)
                        .map(on: executor) { shown.page(of: state, version) }
                }
                return self.hasJustLeft(link.path, session, for: client, executor).then(on: executor) { hasJustLeft in
                    if case .success(true) = hasJustLeft { return .now(shown.redirect(to: state.path)) }
                    return session.inject(link.injection, for: client).then(on: executor) { outcome in
                        switch outcome {
                        case .success(let outcome): shown.current(unlessElsewhereThan: link.path, after: outcome)
                        // The app has no screen of its own for the address without a path.
                        case .failure(.unknownPath) where link.path == "/": .now(shown.redirect(to: state.path))
                        case .failure(let error): .failed(error)
                        }
                    }
                }
            }
        }
    }

    /// Whether the app has moved on from a path by itself since the browser was sent there: by the outcome of work that
    /// a press began, for example. Then the path is not opened again, which would undo that move.
    private func hasJustLeft(
        _ path: String, _ session: Session, for client: ClientKey, _ executor: any CoordinateSessions.Executor
    ) -> Future<Bool, SessionError> {
        session.journal(for: client).then(on: executor) { journal in
            guard case .success(let journal) = journal else { return .now(false) }
            let latest = 8
            return journal.entries(after: max(0, journal.head.version - latest), limit: latest, on: executor)
                .map(on: executor) { entries in
                    guard let last = entries.lastIndex(where: { $0.origin == .client }), last + 1 < entries.endIndex,
                        NavigationState.isPath(entries[last].path, path)
                    else { return false }
                    let now = self.sessions.host.clock.timestamp().seconds
                    return now - entries[last + 1].time.seconds <= 2
                }
        }
    }

    /// The page for a link that another site led to: with a link to the same address.
    private func continuation(to address: LocalAddress, _ pages: WebPages) -> HTTPResponse {
        let page = MessagePage(
            title: app.name, message: "Another site led you here.",
            links: [.init("Continue", to: address.text)], look: pages.look)
        return WebPages.response(page.html)
    }

    // MARK: Forms

    /// `POST /app`: presses the button of an action.
    func postForm(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        try checkIsOwnForm(request)
        guard request.isOfType(FormData.mediaType) else { throw .notAForm }
        let form: SubmittedForm
        do throws(SubmittedForm.Malformation) {
            form = try SubmittedForm(FormData(request.body))
        } catch {
            throw .malformedRequest(error.description)
        }
        guard let named = try namedSession(of: request) else { throw .sessionNotFound }
        let client = client(of: request)
        let executor = executor(of: client)
        let traceparent = request.addedToAnswer[.traceparent]?.rawValue
        return answerIn(named, for: request) { session, introduction in
            let shown = PageOfSession(session, pages, for: client, executor, introduction)
            return session.navigationState(for: client).flatMap(on: executor) { version, state in
                guard version == form.version else { return .now(shown.conflict(of: form, with: state, version)) }
                let action = form.action(in: state)
                var event: EventRequest
                do throws(Problem) {
                    event = try self.event(of: form, action)
                } catch {
                    return .now(shown.refusal(of: form, as: action, in: state, because: error.detail))
                }
                event.traceparent = traceparent
                let condition = VersionCondition(isOneOf: .some([version]))
                let injection = EventInjection(event, if: condition, wantsRoute: false)
                return session.inject(injection, for: client).then(on: executor) { outcome in
                    switch outcome {
                    case .success(let outcome): .now(shown.redirect(to: outcome.path))
                    case .failure(.versionConflict): shown.conflict(of: form)
                    case .failure(.invalidPayload(let error)):
                        .now(
                            shown.refusal(
                                of: form, as: action, in: state, at: error.path, because: error.message))
                    case .failure(let error) where Problem(error).status == 422:
                        .now(shown.refusal(of: form, as: action, in: state, because: error.description))
                    case .failure(let error): .failed(error)
                    }
                }
            }
        }
    }

    private func event(of form: SubmittedForm, _ action: Action?) throws(Problem) -> EventRequest {
        let declared = app.events.entry(named: form.event)?.fields ?? []
        let payload = form.payload(of: action, declared: declared)
        return try EventRequest(
            .object([PlainField("event", .string(form.event)), PlainField("payload", payload)]), of: app)
    }

    // MARK: The login

    /// A redirect to the login; `nil` if the request needs none.
    private func leadToLogin(
        _ request: borrowing HTTPRequest, from address: LocalAddress
    ) throws(Problem) -> HTTPResponse? {
        do throws(Problem) {
            try checkKey(of: request)
            return nil
        } catch {
            guard error.kind == .unauthorized else { throw error }
            return WebPages.redirect(to: LoginPage.address + "?next=" + address.asQueryValue)
        }
    }

    /// `GET /app/login`: the page with a form for the key. On a server without a key, or for a client that has sent it,
    /// it is an address of the app like any other.
    func getLoginPage(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        let next = request.queryValue("next")
        guard access.key != nil else { return try getPage(request) }
        if next == nil, (try? checkKey(of: request)) != nil { return try getPage(request) }
        let page = LoginPage(next: Self.destination(next), look: pages.look)
        return .now(WebPages.response(page.html))
    }

    /// `POST /app/login`: gives browsers a cookie in place of the key, and leads to where the user came from.
    func postLoginForm(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard let pages else { throw .notFound }
        try checkIsOwnForm(request)
        guard request.isOfType(FormData.mediaType) else { throw .notAForm }
        let form = FormData(request.body)
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

extension NavigationState {
    /// Whether a path is the one shown, however it is escaped.
    func isAt(_ other: String) -> Bool { Self.isPath(path, other) }

    /// Whether two paths are the same, however they are escaped.
    fileprivate static func isPath(_ path: String, _ other: String) -> Bool {
        path == other || RoutePath(path) == RoutePath(other)
    }
}
