internal import Coordinate
internal import CoordinateSessions
internal import CoordinateWeb
internal import MicroHTTPD

/// The responses with the pages of one session.
struct PageOfSession: Sendable {
    private let session: Session
    private let pages: WebPages
    private let client: ClientKey
    private let executor: any CoordinateSessions.Executor
    /// The headers that introduce a new session to its client.
    private let introduction: HTTPFields

    init(
        _ session: Session, _ pages: WebPages, for client: ClientKey, _ executor: any CoordinateSessions.Executor,
        _ introduction: HTTPFields
    ) {
        self.session = session
        self.pages = pages
        self.client = client
        self.executor = executor
        self.introduction = introduction
    }

    private func screen(
        _ state: NavigationState, _ version: Int, notice: String? = nil, refused: RefusedForm? = nil
    ) -> ScreenPage {
        ScreenPage(
            state, version: version, language: pages.language(of: session.options), look: pages.look, notice: notice,
            refused: refused)
    }

    /// The page with the screen. While more is about to appear, it loads the session's screen again, wherever that is.
    func page(of state: NavigationState, _ version: Int) -> HTTPResponse {
        let page = screen(state, version)
        return WebPages.response(page.html, headers: refresh(page, after: 1) + introduction)
    }

    /// The header with which a browser loads the session's screen again. After a second, but not after two, browsers
    /// replace the page in their history.
    private func refresh(_ page: ScreenPage, after seconds: Int) -> HTTPFields {
        page.isUnsettled ? ["Refresh": "\(seconds); url=\(PageAddress.root)"] : [:]
    }

    /// A redirect to the page at a path of the app.
    func redirect(to path: String) -> HTTPResponse {
        WebPages.redirect(to: PageAddress.of(path), headers: introduction)
    }

    /// The page after a link was opened, or a redirect if the link led elsewhere.
    func current(
        unlessElsewhereThan path: String, after outcome: EventOutcome
    ) -> Future<HTTPResponse, SessionError> {
        session.navigationState(for: client).map(on: executor) { version, state in
            state.isAt(path) ? page(of: state, version) : redirect(to: state.path)
        }
    }

    /// The page for a form of a version that is no longer current. If the screen still has the form, it keeps what was
    /// entered.
    func conflict(of form: SubmittedForm, with state: NavigationState, _ version: Int) -> HTTPResponse {
        let notice = "The screen has changed since you saw it, so nothing was done. This is how it is now."
        let kept = form.action(in: state).map { form.kept(as: $0) }
        let page = screen(state, version, notice: notice, refused: kept)
        return WebPages.response(page.html, status: 409, headers: refresh(page, after: 2) + introduction)
    }

    /// The page for a form whose version has just been overtaken.
    func conflict(of form: SubmittedForm) -> Future<HTTPResponse, SessionError> {
        session.navigationState(for: client).map(on: executor) { version, state in
            conflict(of: form, with: state, version)
        }
    }

    /// The page with a form that was refused, as its user filled it in.
    ///
    /// - Parameters:
    ///   - action: The action of the form; `nil` if the screen offers none like it.
    ///   - path: The names that lead to the bad value in the payload; empty if no value is to blame.
    ///   - reason: The reason: half a sentence if a value is to blame, a sentence otherwise.
    func refusal(
        of form: SubmittedForm, as action: Action?, in state: NavigationState, at path: [String] = [],
        because reason: String
    ) -> HTTPResponse {
        let refused = action.map { form.refused(as: $0, at: path, because: reason) }
        let page = screen(
            state, form.version, notice: refused == nil ? reason : "Nothing was done. Correct what is marked below.",
            refused: refused)
        return WebPages.response(page.html, status: 422, headers: introduction)
    }
}
