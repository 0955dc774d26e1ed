public import Coordinate
internal import JSON

/// A page with what an app shows: the screen, and everything that a user can do on it.
///
/// It is a function of the navigation state. Everything a user can press is a form, so that it needs no scripts.
///
/// ```swift
/// let page = ScreenPage(app.navigationState, version: 3, session: "3af0")
/// print(page.html)
/// ```
public struct ScreenPage: Sendable {
    /// A sentence above the screen that says what happened to the last press.
    public struct Notice: Hashable, Sendable {
        let text: String
        /// Whether what the user wanted was done.
        let isSuccess: Bool

        /// A sentence about a success.
        public static func success(_ text: String) -> Notice { Notice(text: text, isSuccess: true) }

        /// A sentence that says why something was not done.
        public static func refusal(_ text: String) -> Notice { Notice(text: text, isSuccess: false) }
    }

    let state: NavigationState
    let version: Int
    let session: String
    let language: PageLanguage
    let look: PageLook
    let notice: Notice?
    let refused: RefusedForm?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - version: The version of the session, which its forms carry.
    ///   - session: A mark of the session, which its forms carry as well. It is not the session's id, because that
    ///     would give control over the session.
    ///   - language: The language of the app's text.
    ///   - notice: What happened to the last press, if the screen does not show it; `nil` for nothing.
    ///   - refused: A form of the screen that was refused; `nil` for none.
    public init(
        _ state: NavigationState, version: Int, session: String, language: PageLanguage = .english,
        look: PageLook = PageLook(), notice: Notice? = nil, refused: RefusedForm? = nil
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
        let frame = PageFrame(title: title, language: language, look: look)
        return frame.document(
            ["data-version": "\(version)", "data-session": session, "data-address": address]
        ) { html in
            frame.writeHeader(&html) { html in
                writeTabs(&html, &forms)
                if let back = state.back { forms.write(back, ["class": "back"], to: &html) }
                if let dismiss = state.dismiss { forms.write(dismiss, ["class": "dismiss"], to: &html) }
            }
            html.block(
                "main",
                ["id": "main", "tabindex": "-1", "class": state.screen.style.rawValue + (isBare ? " bare" : "")]
            ) { html in
                writeScreen(title, &html, &forms)
            }
        }
    }

    /// Whether the page is a title with buttons, such as a welcome.
    private var isBare: Bool {
        let screen = state.screen
        return screen.style == .page && state.tabs.isEmpty && state.back == nil && notice == nil
            && screen.rows.isEmpty && screen.sections.isEmpty && screen.emptyText == nil
            && screen.actions.allSatisfy(\.inputs.isEmpty)
    }

    private func writeTabs(_ html: inout HTMLWriter, _ forms: inout FormWriter) {
        guard !state.tabs.isEmpty else { return }
        html.startLine()
        html.sentence("a", ["class": "skip", "href": "#main"], on: language, "Skip to content")
        let foreign: HTMLAttributes = language.isEnglish ? [:] : ["lang": "en"]
        html.block("nav", ["aria-label": "Tabs"] + foreign) { html in
            html.block("ul", language.isEnglish ? [:] : ["lang": language.tag]) { html in
                for tab in state.tabs { html.block("li") { write(tab, &$0, &forms) } }
            }
        }
    }

    private func write(_ tab: NavigationState.Tab, _ html: inout HTMLWriter, _ forms: inout FormWriter) {
        let current: HTMLAttributes = ["aria-current": tab.isSelected ? "page" : nil]
        func writeContent(_ html: inout HTMLWriter) {
            if let image = tab.image { write(image, &html) }
            html.element("span", ["dir": "auto"], tab.title)
            if let badge = tab.badge { html.element("span", ["class": "badge", "dir": "auto"], badge) }
        }
        guard let path = tab.action.opens else {
            return forms.write(tab.action, button: current, to: &html, writeContent)
        }
        // With scripts, another tab is selected by its event, so that it keeps its stack.
        let event: HTMLAttributes =
            tab.isSelected ? [:] : ["data-event": tab.action.event, "data-payload": tab.action.payload.jsonText]
        html.element("a", ["href": PageAddress.of(path)] + current + event, writeContent)
    }

    // MARK: The screen

    private func writeScreen(_ title: String, _ html: inout HTMLWriter, _ forms: inout FormWriter) {
        html.element("h1", ["tabindex": "-1", "dir": "auto"], title)
        html.startLine()
        if let notice {
            let attributes: HTMLAttributes =
                notice.isSuccess ? ["class": "success", "role": "status"] : ["class": "notice", "role": "alert"]
            html.sentence("p", attributes, on: language, notice.text)
        }
        // The list of errors is above the forms, which know the errors.
        var content = HTMLWriter()
        writeContent(of: state.screen, &content, &forms)
        write(forms.faults, &html)
        html.startLine()
        html.append(content)
    }

    private func writeContent(of screen: Screen, _ html: inout HTMLWriter, _ forms: inout FormWriter) {
        writeStatus(of: screen, &html)
        if state.parked != nil {
            html.startLine()
            html.sentence("p", ["class": "text"], on: language, "Afterwards you continue where you were going.")
        }
        for action in screen.actions where action.isSearch { forms.write(action, ["role": "search"], to: &html) }
        if let text = screen.emptyText { html.element("p", ["class": "empty", "dir": "auto"], text) }
        let rows = Dictionary(grouping: screen.rows.enumerated(), by: \.element.section)
        write(rows[nil], &html, &forms)
        for (index, section) in screen.sections.enumerated() {
            let id = "section-\(index + 1)"
            html.block("section", ["aria-labelledby": section.title.map { _ in id }]) { html in
                if let title = section.title { html.element("h2", ["id": id, "dir": "auto"], title) }
                write(rows[section.id], &html, &forms)
                if let footer = section.footer { html.element("p", ["class": "footer", "dir": "auto"], footer) }
            }
        }
        let actions = screen.actions.filter { !$0.isSearch }
        guard !actions.isEmpty else { return }
        let hasPrimary = actions.contains { $0.role == .primary }
        html.block("div", ["class": "actions"]) { html in
            for action in actions {
                // A form is what users came for, unless the app says otherwise.
                let isPrimary = !hasPrimary && action.role == nil && !action.inputs.isEmpty
                forms.write(action, button: isPrimary ? ["data-role": "primary"] : [:], to: &html)
            }
        }
    }

    private func write(_ faults: [FormWriter.Fault], _ html: inout HTMLWriter) {
        guard !faults.isEmpty else { return }
        html.block("div", ["class": "notice", "role": "alert", "tabindex": "-1", "autofocus": ""]) { html in
            html.sentence("h2", on: language, "There is a problem")
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

    // MARK: Rows

    private func write(
        _ rows: [(offset: Int, element: Screen.Row)]?, _ html: inout HTMLWriter, _ forms: inout FormWriter
    ) {
        guard let rows else { return }
        html.block("ul", ["class": "rows"]) { html in
            for (index, row) in rows { html.block("li") { write(row, index, &$0, &forms) } }
        }
    }

    private func write(
        _ row: Screen.Row, _ index: Int, _ html: inout HTMLWriter, _ forms: inout FormWriter
    ) {
        let id = "row-\(index + 1)"
        if let action = row.action, action.inputs.isEmpty {
            forms.write(action, ["class": "row"], to: &html) { html in
                writeContent(of: row, id, &html)
                // A tap has the title of its row, unless the app says otherwise.
                if action.title != row.title { html.element("span", ["class": "tap", "dir": "auto"], action.title) }
            }
        } else {
            html.block("div", ["class": "row"]) { writeContent(of: row, id, &$0) }
            if let action = row.action { forms.write(action, describedBy: id, to: &html) }
        }
        guard row.delete != nil || !row.actions.isEmpty else { return }
        html.block("div", ["class": "more"]) { html in
            for action in row.actions { forms.write(action, describedBy: id, to: &html) }
            if let delete = row.delete { forms.write(delete, ["class": "delete"], describedBy: id, to: &html) }
        }
    }

    private func writeContent(of row: Screen.Row, _ id: String, _ html: inout HTMLWriter) {
        if let image = row.image { write(image, &html) }
        html.element("span", ["class": "words"]) { html in
            html.element("span", ["class": "title", "id": id, "dir": "auto"], row.title)
            if let subtitle = row.subtitle { html.element("span", ["class": "subtitle", "dir": "auto"], subtitle) }
        }
        if row.isFavorite { html.sentence("span", ["class": "favorite"], on: language, "Favorite") }
        if let value = row.value { html.element("span", ["class": "value", "dir": "auto"], value) }
    }

    private func write(_ image: Image, _ html: inout HTMLWriter) {
        let meaning: HTMLAttributes =
            image.alt.isEmpty ? ["aria-hidden": "true"] : ["role": "img", "aria-label": image.alt]
        if let file = image.file {
            html.void("img", ["class": "image", "src": file, "alt": image.alt, "dir": "auto"])
        } else if let letters = image.letters {
            let text = image.color.map { _ in image.isDark ? "#fff" : "#000" }
            html.element("svg", ["class": "image letters", "viewbox": "0 0 40 40"] + meaning) { html in
                html.element("rect", ["width": "40", "height": "40", "fill": image.hexadecimalColor]) { _ in }
                html.element("text", ["x": "20", "y": "26", "fill": text], letters)
            }
        } else if let symbol = image.symbol, let symbols = look.symbols {
            html.element("svg", ["class": "image symbol", "color": image.hexadecimalColor] + meaning) { html in
                html.element("use", ["href": "\(symbols)#\(symbol)"]) { _ in }
            }
        }
    }
}

extension Action {
    /// Whether it is a form that searches the screen's rows, and so belongs above them.
    fileprivate var isSearch: Bool { inputs.count == 1 && inputs[0].kind == .search }
}

extension Image {
    /// Whether white is easier to read on its color than black, by the contrast of the Web Content Accessibility
    /// Guidelines with squares in place of their curve.
    fileprivate var isDark: Bool {
        let parts = [16, 8, 0].map { shift in
            let part = Double((color ?? 0) >> UInt32(shift) & 0xFF) / 255
            return part * part
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] < 0.18
    }
}
