internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import MicroHTTPD

/// The answers with pages of one session, to one request.
struct PageOfSession: Sendable {
    private let api: API
    private let session: Session
    private let pages: WebPages
    private let visit: PageVisit
    /// The headers that introduce a new session to its client.
    private let introduction: HTTPFields

    init(_ api: API, _ session: Session, _ pages: WebPages, for visit: PageVisit, _ introduction: HTTPFields) {
        self.api = api
        self.session = session
        self.pages = pages
        self.visit = visit
        self.introduction = introduction
    }

    /// A mark of the session for its pages. It is not the id, and cannot be converted to it.
    private var mark: String {
        let code = HMAC.sha256(of: "\(session.id)".utf8, key: Array("coordinate page 1".utf8))
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: code.prefix(12).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: Showing the screen

    /// Shows the page that an address names: the screen at a path, which is opened first if the session is elsewhere.
    ///
    /// - Parameter target: The page; `nil` for the session's own, to which the answer leads.
    func show(_ target: PageAddress.Target?) async throws(SessionError) -> HTTPResponse {
        let (version, state) = try await session.navigationState()
        switch target {
        case nil: return redirect(to: state.path, version)
        case .path(let path): return try await show(path, from: state, version)
        case .moment(let moment) where moment.session != mark: return redirect(to: state.path, version)
        // A former path is part of the past.
        case .moment(let moment) where visit.requester.isBoundToScreen:
            return moment.version == version ? page(of: state, version) : redirect(to: state.path, version)
        case .moment(let moment):
            guard let entry = try await entry(at: moment.version) else { return redirect(to: state.path, version) }
            return try await show(entry.path, from: state, version)
        }
    }

    private func show(
        _ path: String, from state: NavigationState, _ version: Int
    ) async throws(SessionError) -> HTTPResponse {
        if state.isAt(path) { return page(of: state, version) }
        if let continuation = visit.continuation { return continuation }
        if visit.isPrefetch { return .withoutPage }
        // To open a path changes the session.
        guard visit.requester.may(.use) else { return redirect(to: state.path, version) }
        if visit.isHead {
            try await session.check(link: path)
            return page(of: state, version)
        }
        if await hasJustLeft(path) { return redirect(to: state.path, version) }
        return try await open(path)
    }

    /// Opens a path, and answers with its page, or with a redirect if it leads elsewhere.
    private func open(_ path: String) async throws(SessionError) -> HTTPResponse {
        var link = EventRequest(opening: path)
        link.traceparent = visit.traceparent
        let injection = EventInjection(
            link, wantsRoute: false, isBoundToScreen: visit.requester.isBoundToScreen)
        do throws(SessionError) {
            _ = try await session.inject(injection)
        } catch {
            // The app has no screen of its own for the address without a path.
            guard case .unknownPath = error, path == "/" else { throw error }
        }
        let (version, state) = try await session.navigationState()
        return state.isAt(path) ? page(of: state, version) : redirect(to: state.path, version)
    }

    /// Shows the session's page to a tab of a browser that shows an earlier version.
    ///
    /// If another tab has moved the session to another path since, the answer has no page: a tab follows what the app
    /// does, and not what a user does elsewhere.
    func update(_ shown: PageAddress.Moment) async throws(SessionError) -> HTTPResponse {
        let (version, state) = try await session.navigationState()
        // The browser may be in another session by now.
        guard shown.session == mark else { return .withoutPage }
        if try await hasClientMoved(from: shown.version, to: version, at: state) { return .withoutPage }
        return page(of: state, version)
    }

    /// Whether a request has led from the path of one version to another path, at which the session still is. True also
    /// if too much has happened to tell.
    private func hasClientMoved(
        from first: Int, to last: Int, at state: NavigationState
    ) async throws(SessionError) -> Bool {
        guard first < last else { return false }
        let journal = try await session.journal()
        var path = journal.head.record.path
        if first > 0, let entry = try await entry(at: first) { path = entry.path }
        if state.isAt(path) { return false }
        // Few at a time, because entries can be large.
        let (most, step) = (64, 8)
        guard last - first <= most else { return true }
        for version in stride(from: first, to: last, by: step) {
            for entry in try await journal.entries(after: version, limit: min(step, last - version)) {
                if entry.origin == .client, !NavigationState.isPath(entry.path, path) { return true }
                path = entry.path
            }
        }
        return false
    }

    /// Whether the app has moved on from a path by itself since the browser was sent there: by the outcome of work that
    /// a press began, for example. Then the path is not opened again, which would undo that move.
    private func hasJustLeft(_ path: String) async -> Bool {
        let latest = 8
        guard let journal = try? await session.journal(),
            let entries = try? await journal.entries(after: max(0, journal.head.version - latest), limit: latest),
            let last = entries.lastIndex(where: { $0.origin == .client }), last + 1 < entries.endIndex,
            NavigationState.isPath(entries[last].path, path)
        else { return false }
        let now = api.sessions.host.clock.timestamp().seconds
        return now - entries[last + 1].time.seconds <= 2
    }

    /// The entry that produced a version; `nil` if there is none.
    private func entry(at version: Int) async throws(SessionError) -> JournalEntry? {
        guard version > 0 else { return nil }
        return try await session.journal().entries(after: version - 1, limit: 1).first
    }

    // MARK: Pressing

    /// Presses the button of a form.
    func press(_ form: SubmittedForm) async throws(SessionError) -> HTTPResponse {
        guard form.session == mark else { return pages.pageForOtherSession }
        let (version, state) = try await session.navigationState()
        guard version == form.version else { return try await late(form) }
        let action = form.action(in: state)
        var event: EventRequest
        do throws(Problem) {
            event = try EventRequest(
                named: form.event, payload: form.payload(of: action, declared: declaredFields(of: form)),
                of: api.app)
        } catch {
            return refusal(of: form, as: action, in: state, because: WebPages.advice(on: error))
        }
        event.traceparent = visit.traceparent
        let injection = EventInjection(
            event, if: VersionCondition(isOneOf: .some([version])), retry: retry(of: form), wantsRoute: false,
            isBoundToScreen: visit.requester.isBoundToScreen)
        do throws(SessionError) {
            let outcome = try await session.inject(injection)
            let success = await isSuccess(action, from: state, to: outcome) ? visit.cookies.announcement(.done) : [:]
            return redirect(to: outcome.path, outcome.version, with: success)
        } catch {
            switch error {
            case .versionConflict: return try await late(form)
            case .invalidPayload(let error):
                return refusal(of: form, as: action, in: state, at: error.path, because: error.message, error.advice)
            // Nothing else can be pressed either.
            case .historyIsFull: throw error
            case _ where Problem(error).status == .unprocessableContent:
                return refusal(of: form, as: action, in: state, because: WebPages.advice(on: Problem(error)))
            default: throw error
            }
        }
    }

    /// Whether the next page says that a form was accepted: it had entries, and led to another screen, which shows no
    /// failure, question, or step before what was wanted. A search shows its results instead.
    private func isSuccess(_ action: Action?, from state: NavigationState, to outcome: EventOutcome) async -> Bool {
        guard let inputs = action?.inputs, !inputs.isEmpty, !inputs.contains(where: { $0.kind == .search }),
            !state.isAt(outcome.path), let (version, next) = try? await session.navigationState(),
            version == outcome.version
        else { return false }
        return next.screen.status == .ready && next.screen.style != .alert && next.parked == nil
            && !screen(next, version, notice: nil).isUnsettled
    }

    private func declaredFields(of form: SubmittedForm) -> [EventField] {
        api.app.events.entry(named: form.event)?.fields ?? []
    }

    /// The mark of a press in the journal, by which the second press of a double click is recognized.
    private func retry(of form: SubmittedForm) -> Retry {
        let press = form.press(declared: declaredFields(of: form))
        return Retry(key: "press-\(form.version)-\(String(press.fingerprint, radix: 36))", body: press, isMinimal: true)
    }

    /// The answer to a form of a version that is no longer current: a redirect to a page that says so.
    private func late(_ form: SubmittedForm) async throws(SessionError) -> HTTPResponse {
        let entry = try await entry(at: form.version + 1)
        let notice: PageNotice = entry?.retry == retry(of: form) ? .repeated : .stale
        let (version, state) = try await session.navigationState()
        return redirect(to: state.path, version, with: visit.cookies.announcement(notice))
    }

    // MARK: Responses

    /// The page with the screen. While more is about to appear, it loads the session's screen again, wherever that is.
    private func page(of state: NavigationState, _ version: Int) -> HTTPResponse {
        let page = screen(state, version, notice: visit.notice?.notice)
        // After a second, but not after two, browsers replace the page in their history.
        let refresh: HTTPFields = page.reloadsItself ? [.refresh: "1; url=\(PageAddress.root)"] : [:]
        let notice = visit.notice.map { _ in visit.cookies.notice(nil) } ?? [:]
        return WebPages.response(page.html, headers: refresh + introduction + notice)
    }

    /// The page with a form that was refused, as its user filled it in.
    ///
    /// - Parameters:
    ///   - action: The action of the form; `nil` if the screen offers none like it.
    ///   - path: The names that lead to the bad value in the payload; empty if no value is to blame.
    ///   - reason: The reason: half a sentence if a value is to blame, a sentence otherwise.
    ///   - advice: What to enter instead, as a sentence; `nil` if the app has none.
    private func refusal(
        of form: SubmittedForm, as action: Action?, in state: NavigationState, at path: [String] = [],
        because reason: String, _ advice: String? = nil
    ) -> HTTPResponse {
        let refused = action.map { form.refused(as: $0, at: path, because: reason, advice: advice) }
        // Without its form, a reason against an entry says nothing.
        let notice = path.isEmpty ? reason : RefusedForm.notOffered
        let page = screen(state, form.version, notice: refused == nil ? .refusal(notice) : nil, refused: refused)
        return WebPages.response(page.html, status: .unprocessableContent, headers: introduction)
    }

    private func screen(
        _ state: NavigationState, _ version: Int, notice: ScreenPage.Notice?, refused: RefusedForm? = nil
    ) -> ScreenPage {
        ScreenPage(
            state, version: version, session: mark, language: pages.language(of: session.options),
            look: pages.look, notice: notice, refused: refused)
    }

    /// A redirect to the page at a path of the app, at which the session is.
    private func redirect(to path: String, _ version: Int, with headers: HTTPFields = [:]) -> HTTPResponse {
        let address = PageAddress.of(path, at: PageAddress.Moment(version: version, session: mark))
        return WebPages.redirect(to: address, headers: introduction + headers)
    }
}

extension NavigationState {
    /// Whether a path is the one shown, however it is escaped.
    fileprivate func isAt(_ other: String) -> Bool { Self.isPath(path, other) }

    /// Whether two paths are the same, however they are escaped.
    fileprivate static func isPath(_ path: String, _ other: String) -> Bool {
        path == other || RoutePath(path) == RoutePath(other)
    }
}

extension HTTPResponse {
    /// The answer to a prefetch that cannot get its page without a change, and to a tab that stays at its page.
    static let withoutPage = HTTPResponse(status: .noContent, headers: [.cacheControl: "no-store"])
}
