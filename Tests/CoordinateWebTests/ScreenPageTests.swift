import Coordinate
import CoordinateWeb
import Foundation
import Racing
import Testing

/// A navigation state as a page. The pages in the folder `Pages` were reviewed.
struct ScreenPageTests {
    private static let look = PageLook(styleSheets: ["/web/app.css", "/web/theme.css"], script: "/web/app.js")

    private func html(_ state: NavigationState, language: PageLanguage = .english) -> String {
        ScreenPage(state, version: 7, session: "mark", language: language, look: Self.look).html
    }

    private static let racing = [
        ("splash", [String]()), ("teams", ["/main/teams"]), ("team", ["/main/teams/team/ferrari"]),
        ("profile", ["/main/profile"]), ("editor", ["/main/profile/edit"]),
        ("comparison", ["/main/drivers/compare/leclerc/hamilton"]),
    ]

    @Test(arguments: racing)
    func screensOfTheRacingApp(name: String, paths: [String]) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/racing.json")
        let season = try JSONDecoder().decode(Season.self, from: Data(contentsOf: file))
        let app = RacingApp(season: season).makeRootCoordinator(options: RacingOptions())
        app.start()
        for path in paths {
            app.visibleLeaf.getRootViewController().emitEvent(NavigationEvents.open(path))
        }
        try GoldenPage(name: "racing-\(name)").expect(html(app.navigationState))
    }

    @Test func rowsWithAllTheyCanHave() throws {
        let rows = [
            Screen.Row(
                id: "bread", title: "Bread", subtitle: "Dark", value: "CHF 4", isFavorite: true,
                action: Action(title: "Bread", event: FixtureEvents.open("bread")),
                delete: Action(title: "Remove", event: FixtureEvents.open("remove")),
                actions: [
                    Action(title: "One less", event: FixtureEvents.open("less")),
                    Action(title: "One more", event: FixtureEvents.open("more")),
                ]),
            Screen.Row(
                id: "soup", title: "Soup", action: Action(title: "Show the soup", event: FixtureEvents.open("soup"))),
            Screen.Row(id: "total", title: "Total", value: "CHF 4"),
        ]
        try GoldenPage(name: "rows").expect(html(.showing("Cart", rows: rows)))
    }

    @Test func aFormWithFieldsOfEveryType() throws {
        try GoldenPage(name: "form").expect(html(.showing("Rating", actions: [FixtureEvents.form])))
    }

    @Test func aMenuHasOneEmptyChoice() {
        let rate = FixtureEvents.rate(
            stars: 3, weight: nil, note: nil, isPublic: true, colors: [], tags: [], Secret(""))
        let note = Action.Input(
            "note", title: "Note", choices: [.init("", title: "No note"), .init("good", title: "Good")])
        let page = html(.showing("Rating", actions: [Action(title: "Rate", event: rate, inputs: [note])]))
        #expect(page.components(separatedBy: "<option value=\"\"").count == 2)
    }

    @Test(arguments: [Screen.Status.loading, .failed, .ready])
    func aStatus(_ status: Screen.Status) throws {
        let states = [
            html(.showing(status: status)), html(.showing(status: status, message: "The network is slow.")),
        ]
        try GoldenPage(name: "status-\(status.rawValue)").expect(states.joined())
        let page = ScreenPage(.showing(status: status, actions: [FixtureEvents.form]), version: 0, session: "mark")
        #expect(page.isUnsettled == (status == .loading))
        #expect(page.reloadsItself == (status == .loading))
    }

    @Test func anAlertOnASheet() throws {
        let box = ContainerCoordinator<ViewController>()
        let leaf = Coordinator<FixtureViewController>()
        box.start()
        box.root(leaf)
        let sheet = NavigationCoordinator<NavigationController>()
        leaf.present(sheet, animated: true)
        sheet.root(Coordinator<FixtureViewController>())
        try GoldenPage(name: "sheet").expect(html(box.navigationState))
        sheet.present(Alert(title: "Discard the draft?", choices: [.stay("Keep"), .discard("Discard")]))
        try GoldenPage(name: "alert").expect(html(box.navigationState))
    }

    @Test(arguments: [nil, ""])
    func aPageWithoutATitleHasTheScreensName(title: String?) {
        #expect(html(.showing(title)).contains("<title>Fixture</title>"))
    }

    // MARK: Languages

    @Test(
        arguments: [
            (nil, "en", false), ("de", "de", false), ("de_CH", "de-CH", false), ("ar", "ar", true),
            ("he-IL", "he-IL", true), ("az-Arab", "az-Arab", true), ("ur-Latn-PK", "ur-Latn-PK", false),
            ("de_CH.UTF-8", "de-CH", false), ("", "en", false), ("\"><script>", "en", false), ("12", "en", false),
            ("de--CH", "en", false), ("überlang", "en", false),
        ] as [(String?, String, Bool)])
    func theLanguageOfALocale(locale: String?, tag: String, isRightToLeft: Bool) {
        let language = PageLanguage(locale: locale)
        #expect(language.tag == tag)
        #expect(language.isRightToLeft == isRightToLeft)
    }

    @Test func ownSentencesAreMarkedOnAPageOfAnotherLanguage() throws {
        let page = html(.showing("مرحبا", status: .loading), language: PageLanguage(locale: "ar"))
        try GoldenPage(name: "arabic").expect(page)
        #expect(page.contains(#"<html lang="ar" dir="rtl">"#))
        #expect(page.contains(#"lang="en" dir="ltr">Loading…"#))
    }

    // MARK: Safety

    private static let hostile = #""><script>alert('x')</script>&amp;<!-- ]]>\#r\#n\#0"#

    /// Nothing that an app shows becomes markup, wherever it is.
    @Test func everyTextIsEscaped() throws {
        let text = Self.hostile
        let event = FixtureEvents.rate(
            stars: 1, weight: nil, note: text, isPublic: true, colors: [], tags: [text], Secret(text))
        let form = Action(
            title: text, event: event,
            inputs: [
                .init("note", title: text, error: text), .init("tags", title: text),
                .init("stars", title: text, choices: [.init(1, title: text)]),
                .init("word", title: text),
            ])
        let row = Screen.Row(
            id: text, title: text, subtitle: text, value: text, action: form, delete: form, actions: [form])
        let state = NavigationState.showing(text, status: .failed, message: text, rows: [row], actions: [form])
        let body =
            "event=fixture.rate&payload=\(Self.encoded("{\"note\":\"a\"}"))&version=7&session=mark&input.note=\(Self.encoded(text))"
        let submitted = try SubmittedForm(FormData(Array(body.utf8)))
        let action = try #require(submitted.action(in: state))
        let pages = [
            html(state), html(.showing(text, status: .loading, message: text)),
            ScreenPage(
                state, version: 7, session: text, language: PageLanguage(locale: text), notice: text,
                refused: submitted.refused(as: action, at: ["note"], because: text)
            ).html,
            ScreenPage(
                state, version: 7, session: text, refused: submitted.refused(as: action, at: [text], because: text)
            ).html,
            MessagePage(title: text, message: text, links: [.init(text, to: text)]).html,
            LoginPage(next: text, error: text).html,
        ]
        for page in pages {
            #expect(page.contains("&quot;&gt;&lt;script&gt;"))
            #expect(!page.contains("<script>"))
            #expect(!page.contains("<!--"))
            #expect(page.split(separator: "<").allSatisfy { $0.filter { $0 == "\"" }.count.isMultiple(of: 2) })
        }
    }

    /// The secret that a form held is on no page.
    @Test func secretsAreNotShown() {
        let form = Action(
            title: "Log in",
            event: FixtureEvents.rate(
                stars: 1, weight: nil, note: nil, isPublic: true, colors: [], tags: [], Secret("swordfish")),
            inputs: [.init("word", title: "Password")])
        #expect(!html(.showing(actions: [form])).contains("swordfish"))
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
