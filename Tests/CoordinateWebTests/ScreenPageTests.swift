import Coordinate
import CoordinateWeb
import Foundation
import Racing
import Testing

/// A navigation state as a page. The pages in the folder `Pages` were reviewed.
struct ScreenPageTests {
    private static let look = PageLook(
        app: "Fixtures", styleSheets: ["/web/tokens.css", "/web/app.css", "/web/theme.css"],
        symbols: "/web/symbols.svg",
        script: "/web/app.js")

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

    @Test func sectionsWithImagesAndLinks() throws {
        let rows = [
            Screen.Row(
                id: "leclerc", title: "Charles Leclerc",
                image: Image(letters: "16", color: 0xE8002D, alt: "Number 16"), section: "drivers",
                action: Action(title: "Charles Leclerc", event: FixtureEvents.open("16"), opens: "/driver/16")),
            Screen.Row(
                id: "hamilton", title: "Lewis Hamilton", image: Image(letters: "44", color: 0x27F4D2),
                section: "drivers"),
            Screen.Row(id: "ferrari", title: "Ferrari", image: Image(symbol: "car", color: 0xE8002D)),
            Screen.Row(id: "monza", title: "Monza", image: Image(file: "/images/monza.svg", alt: "The track")),
        ]
        let sections = [
            Screen.Section(id: "drivers", title: "Drivers", footer: "Of this season."),
            Screen.Section(id: "races", footer: "No race yet."),
        ]
        try GoldenPage(name: "sections").expect(html(.showing("Ferrari", sections: sections, rows: rows)))
    }

    @Test func actionsWithRoles() throws {
        func action(_ title: String, _ role: Action.Role? = nil, opens: String? = nil) -> Action {
            Action(title: title, event: FixtureEvents.open(title), role: role, opens: opens)
        }
        let actions = [
            action("Save", .primary), action("Delete", .destructive), action("Not now", .cancel), action("Share"),
            action("Help", opens: "/help"),
        ]
        try GoldenPage(name: "roles").expect(html(.showing("Draft", emptyText: "Nothing yet.", actions: actions)))
    }

    /// With paths, tabs are links: the pages of the racing app have some.
    @Test func tabsWithoutPathsAreForms() throws {
        let tabs = TabBarCoordinator<TabBarController>()
        let (home, cart) = (Coordinator<FixtureViewController>(), Coordinator<FixtureViewController>())
        home.rootViewController.tabBarItem = TabBarItem(title: "Home", image: Image(symbol: "house"), tag: 0)
        cart.rootViewController.tabBarItem = TabBarItem(title: "Cart", image: Image(symbol: "cart"), tag: 1)
        cart.rootViewController.tabBarItem.badgeValue = "3"
        tabs.start()
        tabs.setCoordinators([home, cart])
        try GoldenPage(name: "tabs").expect(html(tabs.navigationState))
    }

    private static let kinds: [(Action.Input.Kind, String, String)] = [
        (.email, "", #"type="email" autocomplete="email""#), (.email, " a@b.c", #"type="text" inputmode="email""#),
        (.phone, "1", #"type="tel""#), (.url, "", #"type="url""#), (.url, "a ", #"type="text" inputmode="url""#),
        (.date, "", #"type="date""#), (.date, "2024-02-29", #"type="date""#), (.date, "2026-02-29", #"type="text""#),
        (.date, "soon", #"type="text""#), (.time, "23:59", #"type="time""#), (.time, "24:00", #"type="text""#),
        (.oneTimeCode, "", #"inputmode="numeric" autocomplete="one-time-code""#), (.search, "a", #"type="search""#),
        (.multiline, "", "<textarea"),
    ]

    /// No field drops a text that does not fit its kind.
    @Test(arguments: kinds)
    func aFieldOfAKind(_ kind: Action.Input.Kind, _ value: String, _ field: String) {
        let action = Action(
            title: "Send", event: FixtureEvents.open(value), inputs: [.init("id", title: "Text", kind: kind)])
        #expect(html(.showing(actions: [action])).contains(field))
    }

    @Test func aFormWithFieldsOfEveryType() throws {
        try GoldenPage(name: "form").expect(html(.showing("Rating", actions: [FixtureEvents.form])))
    }

    @Test func aMenuHasOneEmptyChoice() {
        let note = Action.Input(
            "note", title: "Note", choices: [.init("", title: "No note"), .init("good", title: "Good")])
        let page = html(
            .showing("Rating", actions: [Action(title: "Rate", event: FixtureEvents.rate(), inputs: [note])]))
        #expect(page.components(separatedBy: "<option value=\"\"").count == 2)
    }

    @Test(arguments: [Screen.Status.loading, .failed, .ready])
    func aStatus(_ status: Screen.Status) throws {
        let states = [
            html(.showing(status: status)), html(.showing(status: status, message: "The network is slow.")),
        ]
        try GoldenPage(name: "status-\(status.rawValue)").expect(states.joined())
        let page = ScreenPage(
            .showing(status: status, actions: [FixtureEvents.form]), version: 0, session: "mark")
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
        #expect(html(.showing(title)).contains("<title>Fixture – Fixtures</title>"))
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

    /// The secret that a form held is on no page.
    @Test func secretsAreNotShown() {
        let form = Action(
            title: "Log in", event: FixtureEvents.rate(word: "swordfish"),
            inputs: [.init("word", title: "Password")])
        #expect(!html(.showing(actions: [form])).contains("swordfish"))
    }
}
