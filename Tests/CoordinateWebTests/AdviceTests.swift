import Coordinate
import CoordinateWeb
import Testing

/// What a page says about a bad entry: words for people, whatever the reason is.
struct AdviceTests {
    private static let cases: [(entry: String, path: [String], reason: String, advice: String)] = [
        ("stars=four", ["stars"], "must be a whole number", "Enter a whole number in \"Stars\"."),
        ("stars=1.5", ["stars"], "must be a whole number", "Enter a whole number in \"Stars\"."),
        ("stars=99999999999999999999", ["stars"], "must be a whole number", "Enter a whole number in \"Stars\"."),
        ("stars=", ["stars"], "must be a whole number", "Fill in \"Stars\"."),
        ("stars=9", ["stars"], "must be at most 5", "\"Stars\" must be at most 5."),
        ("weight=heavy", ["weight"], "must be a number", "Enter a number in \"Weight\"."),
        ("weight=inf", ["weight"], "must be a number", "Enter a number in \"Weight\"."),
        ("note=other", ["note"], "is not a value of Note", "Choose from the list \"Note\"."),
        ("colors=pink", ["colors", "0"], "must be one of \"red\"", "Choose from the list \"Colors\"."),
        ("word=", ["word"], "must have 8 characters", "Fill in \"Password\"."),
        ("word=cod", ["word"], "must have 8 characters", "\"Password\" must have 8 characters."),
        ("tags=x", ["tags", "0"], "is not the id of any Tag", "\"Tags\" is not known. Check the spelling."),
        ("tags=x", ["tags", "0"], "is not a value of Tag", "\"Tags\" is not known. Check the spelling."),
        // Nothing that can be entered.
        ("", ["other"], "is missing", "The app does not accept this at the moment. Check the screen, and try again."),
        ("", [], "The app has no such screen.", "The app has no such screen."),
    ]

    @Test(arguments: cases)
    func aBadEntryIsExplained(entry: String, path: [String], reason: String, advice: String) throws {
        #expect(try said(of: FixtureEvents.form, "input.\(entry)", at: path, because: reason) == [advice])
    }

    @Test func theAppsOwnAdviceIsSaidInstead() throws {
        let advice = try said(
            of: FixtureEvents.form, "input.stars=four", at: ["stars"], because: "must be a whole number",
            advice: "How many stars?")
        #expect(advice == ["How many stars?"])
    }

    @Test(
        arguments: [
            (.email, "Enter an email address in \"Contact\"."), (.phone, "Enter a phone number in \"Contact\"."),
            (.url, "Enter a web address in \"Contact\"."), (.date, "Enter a date in \"Contact\"."),
            (.time, "Enter a time in \"Contact\"."), (.search, "Fill in \"Contact\"."),
        ] as [(Action.Input.Kind, String)])
    func anEmptyEntryIsNamedByItsKind(kind: Action.Input.Kind, advice: String) throws {
        let action = Action(
            title: "Open", event: FixtureEvents.open(""), inputs: [.init("id", title: "Contact", kind: kind)])
        #expect(try said(of: action, "input.id=", at: ["id"], because: "must not be empty") == [advice])
        let bad = try said(of: action, "input.id=x", at: ["id"], because: "has an unknown domain")
        #expect(bad == ["\"Contact\" has an unknown domain."])
    }

    /// The items of the page's list of errors.
    private func said(
        of action: Action, _ entries: String, at path: [String], because reason: String, advice: String? = nil
    ) throws -> [String] {
        let body = "event=\(action.event)&payload={}&version=7&session=mark&\(entries)"
        let refused = try SubmittedForm(FormData(Array(body.utf8)))
            .refused(as: action, at: path, because: reason, advice: advice)
        let page = ScreenPage(.showing(actions: [action]), version: 7, session: "mark", refused: refused)
        let list = page.html.firstMatch(of: #/(?s)role="alert".*?<ul>(.*?)</ul>/#)?.1 ?? ""
        return list.matches(of: #/<li[^>]*>(?:<a[^>]*>)?([^<]*)/#).map { String($0.1).replacing("&quot;", with: "\"") }
            .filter { $0 != "is more than 5" }
    }
}
