public import Coordinate

/// A page with what an app shows: the screen, and everything that a user can do on it.
///
/// It is a function of the navigation state. Everything a user can press is a form, so that it needs no scripts.
///
/// ```swift
/// let page = ScreenPage(app.navigationState, version: 3, session: "3af0")
/// print(page.html)
/// ```
public struct ScreenPage: Sendable {
    let state: NavigationState
    let version: Int
    let session: String
    let language: PageLanguage
    let look: PageLook
    let notice: String?
    let refused: RefusedForm?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - version: The version of the session, which its forms carry.
    ///   - session: A mark of the session, which its forms carry as well. It is not the session's id, because that
    ///     would give control over the session.
    ///   - language: The language of the app's text.
    ///   - notice: A sentence above the screen, such as why a press was not carried out; `nil` for none.
    ///   - refused: A form of the screen that was refused; `nil` for none.
    public init(
        _ state: NavigationState, version: Int, session: String, language: PageLanguage = .english,
        look: PageLook = PageLook(), notice: String? = nil, refused: RefusedForm? = nil
    ) {
        self.state = state
        self.version = version
        self.session = session
        self.language = language
        self.look = look
        self.notice = notice
        self.refused = refused
    }

    /// Whether more is about to appear: the screen is loading, or work is pending. Timers do not count.
    public var isUnsettled: Bool { state.screen.status == .loading || isWorking }

    /// Whether the page should load itself again while it is unsettled. A page with a field would lose what its user
    /// enters, so it stays unless its screen is loading.
    public var reloadsItself: Bool {
        state.screen.status == .loading || isWorking && state.offered.allSatisfy(\.inputs.isEmpty)
    }

    /// The address of the page.
    public var address: String {
        PageAddress.of(state.path, at: PageAddress.Moment(version: version, session: session))
    }

    private var isWorking: Bool { state.pending.contains { $0.due == nil } }

    /// The document.
    public var html: String {
        var forms = FormWriter(version: version, session: session, language: language, refused: refused)
        let title = state.screen.title.flatMap { $0.isEmpty ? nil : $0 } ?? state.screen.name
        return PageFrame(title: title, language: language, look: look).document(
            ["data-version": "\(version)", "data-address": address]
        ) { html in
            writeWayBack(&html, &forms)
            writeScreen(title, &html, &forms)
            writeTabs(&html, &forms)
        }
    }

    private func writeWayBack(_ html: inout HTMLWriter, _ forms: inout FormWriter) {
        guard state.back != nil || state.dismiss != nil else { return }
        html.block("header") { html in
            if let back = state.back { forms.write(back, ["class": "back"], to: &html) }
            if let dismiss = state.dismiss { forms.write(dismiss, ["class": "dismiss"], to: &html) }
        }
    }

    private func writeScreen(_ title: String, _ html: inout HTMLWriter, _ forms: inout FormWriter) {
        let screen = state.screen
        html.block("main", ["id": "main", "class": screen.style.rawValue]) { html in
            html.element("h1", ["tabindex": "-1", "dir": "auto"], title)
            html.startLine()
            if let notice { html.sentence("p", ["class": "notice", "role": "alert"], on: language, notice) }
            // The list of errors is above the forms, which know the errors.
            var content = HTMLWriter()
            writeContent(of: screen, &content, &forms)
            write(forms.faults, &html)
            html.startLine()
            html.append(content)
        }
    }

    private func writeContent(of screen: Screen, _ html: inout HTMLWriter, _ forms: inout FormWriter) {
        writeStatus(of: screen, &html)
        if let parked = state.parked {
            html.startLine()
            html.sentence("p", ["class": "parked"], on: language, "Continues afterwards to \(parked).")
        }
        if !screen.rows.isEmpty {
            html.block("ul", ["class": "rows"]) { html in
                for (index, row) in screen.rows.enumerated() { write(row, index, &html, &forms) }
            }
        }
        if !screen.actions.isEmpty {
            html.block("div", ["class": "actions"]) { html in
                for action in screen.actions { forms.write(action, to: &html) }
            }
        }
    }

    private func write(_ faults: [FormWriter.Fault], _ html: inout HTMLWriter) {
        guard !faults.isEmpty else { return }
        html.block("div", ["class": "notice", "role": "alert"]) { html in
            html.sentence(on: language, "Correct this:")
            html.block("ul") { html in
                for fault in faults {
                    html.element("li", ["dir": "auto"]) { html in
                        if let field = fault.field {
                            html.element("a", ["href": "#\(field)"], fault.message)
                        } else {
                            html.text(fault.message)
                        }
                    }
                    html.startLine()
                }
            }
        }
    }

    private func writeStatus(of screen: Screen, _ html: inout HTMLWriter) {
        switch screen.status {
        case .ready:
            if let message = screen.message { html.element("p", ["class": "text", "dir": "auto"], message) }
        case .loading:
            if let message = screen.message {
                html.element("p", ["class": "loading", "role": "status", "dir": "auto"], message)
            } else {
                html.sentence("p", ["class": "loading", "role": "status"], on: language, "Loading…")
            }
        case .failed:
            if let message = screen.message {
                html.element("p", ["class": "failed", "role": "alert", "dir": "auto"], message)
            } else {
                html.sentence("p", ["class": "failed", "role": "alert"], on: language, "Loading failed.")
            }
        }
        guard isWorking, screen.status != .loading else { return }
        html.startLine()
        html.sentence("p", ["class": "loading", "role": "status"], on: language, "In progress…")
    }

    private func write(
        _ row: Screen.Row, _ index: Int, _ html: inout HTMLWriter, _ forms: inout FormWriter
    ) {
        let id = "row-\(index + 1)"
        html.block("li") { html in
            html.block("div", ["class": "row"]) { html in
                // A tap has the title of its row, unless the app says otherwise.
                if row.action?.title != row.title {
                    html.element("span", ["class": "title", "id": id, "dir": "auto"], row.title)
                    html.startLine()
                }
                if let action = row.action {
                    forms.write(action, ["class": "tap"], id: action.title == row.title ? id : nil, to: &html)
                }
                if let subtitle = row.subtitle {
                    html.element("span", ["class": "subtitle", "dir": "auto"], subtitle)
                    html.startLine()
                }
                if row.isFavorite {
                    html.sentence("span", ["class": "favorite"], on: language, "Favorite")
                    html.startLine()
                }
                if let value = row.value {
                    html.element("span", ["class": "value", "dir": "auto"], value)
                }
            }
            guard row.delete != nil || !row.actions.isEmpty else { return }
            html.block("div", ["class": "more"]) { html in
                for action in row.actions { forms.write(action, describedBy: id, to: &html) }
                if let delete = row.delete { forms.write(delete, ["class": "delete"], describedBy: id, to: &html) }
            }
        }
    }

    private func writeTabs(_ html: inout HTMLWriter, _ forms: inout FormWriter) {
        guard !state.tabs.isEmpty else { return }
        let foreign: HTMLAttributes = language.isEnglish ? [:] : ["lang": "en"]
        html.block("nav", ["aria-label": "Tabs"] + foreign) { html in
            html.block("ul", language.isEnglish ? [:] : ["lang": language.tag]) { html in
                for (index, tab) in state.tabs.enumerated() {
                    let id = "badge-\(index + 1)"
                    html.block("li") { html in
                        forms.write(
                            tab.action, current: tab.isSelected, describedBy: tab.badge.map { _ in id }, to: &html)
                        if let badge = tab.badge {
                            html.element("span", ["class": "badge", "id": id, "dir": "auto"], badge)
                        }
                    }
                }
            }
        }
    }
}
