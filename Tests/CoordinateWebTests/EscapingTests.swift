import Coordinate
import JSON
import SeededGenerator
import Testing

@testable import CoordinateWeb

/// Random screens with hostile texts everywhere: they have the elements of the same screens with harmless texts.
struct EscapingTests {
    @Test func noTextBecomesMarkup() throws {
        for seed in 0..<150 as Range<UInt64> {
            var harmless = Texts(isHostile: false, seed)
            var hostile = Texts(isHostile: true, seed)
            let expected = try HTMLStructure(Self.page(seed, &harmless))
            let found = try HTMLStructure(Self.page(seed, &hostile))
            #expect(found.tags == expected.tags, "seed \(seed)")
            // What is shown arrives as it is.
            for (word, text) in zip(harmless.used, hostile.used) where expected.shows(word) {
                // A list with a text that is no line is shown as JSON.
                let list = PlainValue.array([.string(text)]).jsonText
                #expect(found.shows(text) || found.shows(list), "seed \(seed): \(text)")
            }
        }
    }

    @Test func noTextOfAMessageBecomesMarkup() throws {
        for seed in 0..<100 as Range<UInt64> {
            var (harmless, hostile) = (Texts(isHostile: false, seed), Texts(isHostile: true, seed))
            for page in [Self.message, Self.login] {
                #expect(try HTMLStructure(page(&hostile)).tags == HTMLStructure(page(&harmless)).tags, "seed \(seed)")
            }
        }
    }

    private static func message(_ texts: inout Texts) -> String {
        let links = [MessagePage.Link(title: texts.next(), address: texts.next())]
        return MessagePage(title: texts.next(), message: texts.next(), links: links).html
    }

    private static func login(_ texts: inout Texts) -> String {
        LoginPage(next: texts.next(), error: texts.next()).html
    }

    // MARK: Random pages

    /// A page whose elements depend on the seed alone.
    private static func page(_ seed: UInt64, _ texts: inout Texts) throws -> String {
        var generator = SeededGenerator(state: seed)
        let state = state(&generator, &texts)
        var refused: RefusedForm?
        if generator.isLucky, let action = state.offered.first(where: { !$0.inputs.isEmpty }) {
            let note = texts.next()
            let body =
                "event=fixture.rate&payload={}&version=0&session=mark&input.note=\(note.escapedInForms)&input.stars=x"
            let form = try SubmittedForm(FormData(Array(body.utf8)))
            refused = form.refused(as: action, at: generator.isLucky ? ["note"] : [], because: texts.next())
        }
        let notice = generator.isLucky ? ScreenPage.Notice.refusal(texts.next()) : nil
        return ScreenPage(
            state, version: 3, session: "mark", look: PageLook(app: texts.next(), symbols: "/web/symbols.svg"),
            notice: notice, refused: refused
        ).html
    }

    private static func state(_ generator: inout SeededGenerator, _ texts: inout Texts) -> NavigationState {
        let leaf = screen(&generator, &texts)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            leaf.start()
            return leaf.navigationState
        case 1:
            let stack = NavigationCoordinator<NavigationController>()
            stack.start()
            stack.root(screen(&generator, &texts))
            stack.show(leaf, sender: nil)
            return stack.navigationState
        default:
            let tabs = TabBarCoordinator<TabBarController>()
            let other = screen(&generator, &texts)
            for tab in [leaf, other] {
                tab.rootViewController.tabBarItem.title = texts.next()
                tab.rootViewController.tabBarItem.image = image(&generator, &texts)
                if generator.isLucky { tab.rootViewController.tabBarItem.badgeValue = texts.next() }
            }
            tabs.start()
            tabs.setCoordinators([leaf, other])
            return tabs.navigationState
        }
    }

    private static func screen(
        _ generator: inout SeededGenerator, _ texts: inout Texts
    ) -> Coordinator<FixtureViewController> {
        let coordinator = Coordinator<FixtureViewController>()
        let status = [Screen.Status.ready, .loading, .failed].randomElement(using: &generator) ?? .ready
        let message = generator.isLucky ? texts.next() : nil
        var rows: [Screen.Row] = []
        for _ in 0..<Int.random(in: 0..<3, using: &generator) { rows.append(row(&generator, &texts)) }
        var actions: [Action] = []
        for _ in 0..<Int.random(in: 0..<3, using: &generator) { actions.append(action(&generator, &texts)) }
        coordinator.rootViewController.title = texts.next()
        coordinator.rootViewController.shown = (status, message, rows, actions)
        coordinator.rootViewController.shownEmptyText = texts.next()
        if generator.isLucky {
            coordinator.rootViewController.shownSections = [
                .init(id: texts.unseen(), title: texts.next(), footer: texts.next())
            ]
        }
        return coordinator
    }

    private static func image(_ generator: inout SeededGenerator, _ texts: inout Texts) -> Image {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: Image(symbol: texts.unseen(), color: 0xE8002D, alt: texts.next())
        case 1: Image(letters: "<&\"", color: 0xE8002D, alt: texts.next())
        default: Image(file: "/images/\(generator.isLucky ? "a" : "b\"><b>").png", alt: texts.next())
        }
    }

    private static func row(_ generator: inout SeededGenerator, _ texts: inout Texts) -> Screen.Row {
        let title = texts.next()
        return Screen.Row(
            id: texts.unseen(), title: title, subtitle: generator.isLucky ? texts.next() : nil,
            value: generator.isLucky ? texts.next() : nil,
            image: generator.isLucky ? image(&generator, &texts) : nil, isFavorite: generator.isLucky,
            action: generator.isLucky
                ? Action(title: generator.isLucky ? title : texts.next(), event: FixtureEvents.open(texts.unseen()))
                : nil,
            delete: generator.isLucky ? action(&generator, &texts) : nil,
            actions: generator.isLucky ? [action(&generator, &texts)] : [])
    }

    /// A button, or a form with some fields.
    private static func action(_ generator: inout SeededGenerator, _ texts: inout Texts) -> Action {
        guard generator.isLucky else { return Action(title: texts.next(), event: FixtureEvents.open(texts.unseen())) }
        let note = texts.next()
        let event = FixtureEvents.rate(note: note, tags: [texts.next()], word: texts.unseen())
        var inputs = [Action.Input("note", title: texts.next(), error: generator.isLucky ? texts.next() : nil)]
        if generator.isLucky { inputs.append(.init("tags", title: texts.next())) }
        if generator.isLucky {
            inputs.append(.init("stars", title: texts.next(), choices: [.init(1, title: texts.next())]))
        }
        if generator.isLucky { inputs.append(.init("word", title: texts.next(), error: texts.next())) }
        return Action(title: texts.next(), event: event, inputs: inputs, role: generator.isLucky ? .primary : nil)
    }
}

/// The texts of a page: hostile ones, or harmless ones that are equally different.
private struct Texts {
    private let isHostile: Bool
    private var generator: SeededGenerator
    private var count = 0
    /// Those that the page may show.
    private(set) var used: [String] = []

    init(isHostile: Bool, _ seed: UInt64) {
        self.isHostile = isHostile
        generator = SeededGenerator(state: ~seed)
    }

    /// A text that the page may show.
    mutating func next() -> String {
        let text = unseen()
        used.append(text)
        return text
    }

    /// A text that is in the payload of an event.
    mutating func unseen() -> String {
        count += 1
        let parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            Self.parts.randomElement(using: &generator) ?? ""
        }
        return isHostile ? "\(count)" + parts.joined() : "harmless \(count)."
    }

    /// The parts of markup, of escapes, and of what Swift, JSON and browsers read differently.
    private static let parts = [
        "<", ">", "\"", "'", "&", "/", "=", "`", " ", "\\", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<script>",
        "</script>", "</title>", "</textarea>", "</option></select>", "<svg onload=x>", "\" autofocus onfocus=\"x",
        "' x='", "javascript:x", "&lt;", "&#60;", "&#x3c", "&quot", "&amp;", "{{x}}", "${x}", "<\u{338}", ">\u{338}",
        "\"\u{301}", "&\u{301}", "\u{0}", "\u{1F}", "\u{7F}", "\u{202E}", "\u{FEFF}",
        "\u{FFFD}", "\u{FF1C}", "a", "é", "😀",
    ]
}

extension SeededGenerator {
    fileprivate var isLucky: Bool {
        mutating get { Bool.random(using: &self) }
    }
}

extension String {
    fileprivate var escapedInForms: String {
        utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
