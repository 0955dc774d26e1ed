import Coordinate
import CoordinateWeb
import Foundation
import Testing

/// What browsers send for a form, as the payload of its event.
struct SubmittedFormTests {
    private let state = NavigationState.showing(actions: [FixtureEvents.form])

    private func payload(_ entries: String) throws -> PlainValue {
        let form = try SubmittedForm(
            FormData(Array("event=fixture.rate&payload={}&version=7&session=mark\(entries)".utf8)))
        return form.payload(of: form.action(in: state), declared: FixtureEvents.form.declared)
    }

    private static let entries: [(entries: String, field: String, value: PlainValue)] = [
        ("&input.stars=4", "stars", .int(4)), ("&input.stars=+4+", "stars", .int(4)),
        ("&input.stars=-4", "stars", .int(-4)), ("&input.stars=", "stars", .null),
        ("&input.stars=four", "stars", .string("four")), ("&input.stars=1.5", "stars", .string("1.5")),
        ("&input.weight=1.5", "weight", .double(1.5)), ("&input.weight=2", "weight", .int(2)),
        ("&input.weight=1e3", "weight", .double(1000)), ("&input.weight=", "weight", .null),
        ("&input.weight=inf", "weight", .string("inf")), ("", "weight", .null),
        ("&input.note=good", "note", .string("good")), ("&input.note=", "note", .null),
        ("&input.note=other", "note", .string("other")), ("&input.note=a+b%26%C3%A9", "note", .string("a b&é")),
        ("&input.isPublic=true", "isPublic", .bool(true)), ("&input.isPublic=on", "isPublic", .bool(true)),
        ("", "isPublic", .bool(false)), ("&input.isPublic=maybe", "isPublic", .string("maybe")),
        ("&input.colors=red&input.colors=blue", "colors", .array([.string("red"), .string("blue")])),
        ("", "colors", .array([])),
        ("&input.tags=a%0D%0Ab%0D%0A", "tags", .array([.string("a"), .string("b")])),
        ("&input.tags=", "tags", .array([])), ("", "tags", .array([.string("a"), .string("b")])),
        ("&input.word=swordfish", "word", .string("swordfish")), ("&input.word=", "word", .string("")),
        ("&input.other=x", "other", .string("x")), ("&input.other=x&input.other=y", "other", .string("y")),
    ]

    @Test(arguments: entries)
    func anEntryIsAValueOfTheFieldsType(entries: String, field: String, value: PlainValue) throws {
        #expect(try payload(entries)[field: field] == value)
    }

    @Test func whatWasShownStaysUnlessItIsAnInput() throws {
        let body = "event=fixture.open&payload=%7B%22id%22%3A%22a%22%7D&version=0&session=mark"
        let form = try SubmittedForm(FormData(Array(body.utf8)))
        #expect(form.action(in: state) == nil)
        #expect(form.payload(of: nil, declared: []) == .object([PlainField("id", .string("a"))]))
    }

    @Test func anObjectIsTypedAsJSON() throws {
        let order = Action(
            title: "Order", event: FixtureEvents.order(.init(id: "1")), inputs: [.init("order", title: "Order")])
        let body = "event=fixture.order&payload={}&version=0&session=mark&input.order=%7B%22id%22:%222%22%7D"
        let form = try SubmittedForm(FormData(Array(body.utf8)))
        let payload = form.payload(of: order, declared: [])
        #expect(payload[field: "order"] == .object([PlainField("id", .string("2"))]))
    }

    @Test func theFormIsThatOfTheActionWithTheSamePayload() throws {
        let actions = ["a", "b"].map { Action(title: $0, event: FixtureEvents.open($0)) }
        let state = NavigationState.showing(actions: actions)
        let body = "event=fixture.open&payload=%7B%22id%22%3A%22b%22%7D&version=0&session=mark"
        #expect(try SubmittedForm(FormData(Array(body.utf8))).action(in: state) == actions[1])
    }

    @Test(
        arguments: [
            "", "event=a", "version=1", "event=a&version=x", "event=a&version=-1",
            "event=a&version=\(Int.max)&session=b", "event=a&event=b&version=1",
            "event=a&version=1&version=2", "event=a&version=1&payload=[]", "event=a&version=1&payload={",
            "event=a&version=1&payload={}&payload={}", "event=a&version=1", "event=a&version=1&session=b&session=b",
        ])
    func otherBodiesAreRefused(body: String) {
        #expect(throws: SubmittedForm.Malformation.self) { try SubmittedForm(FormData(Array(body.utf8))) }
    }

    @Test(
        arguments: [
            ("a=b", "b"), ("a=", ""), ("a", ""), ("a=%41", "A"), ("a=%4", "%4"), ("a=%zz", "%zz"), ("a=%", "%"),
            ("a=1=2", "1=2"), ("a=+", " "), ("a=%2B", "+"), ("a=%FF", "\u{FFFD}"), ("b=1&&a=2", "2"),
        ])
    func aBodyIsReadAsBrowsersWriteIt(body: String, value: String) throws {
        #expect(try FormData(Array(body.utf8)).value(of: "a") == value)
    }
}

extension SubmittedFormTests {
    /// Lists with values that an editor with one value per line would change.
    @Test(
        arguments: [
            [], [""], ["a", ""], ["a\nb"], ["a\r\nb", "c\r"], ["  a", "b  "], ["\t"], ["a\0b"], ["é", "e\u{301}"],
            ["a\u{2028}b", "\u{85}", "\u{C}"],
        ])
    func aListThatIsNotChangedStaysAsItIs(tags: [String]) throws {
        let event = FixtureEvents.rate(colors: [.blue, .red], tags: tags)
        let action = Action(title: "Rate", event: event, inputs: [.init("tags", title: "Tags")])
        let page = ScreenPage(.showing(actions: [action]), version: 7, session: "mark").html
        let shown = try #require(page.firstMatch(of: #/(?s)<textarea[^>]*>\n(.*?)</textarea>/#)?.1)
        // A browser shows no NUL, and sends each line break as two characters.
        let text = shown.replacing("&quot;", with: "\"").replacing("&#13;", with: "\r").replacing("&amp;", with: "&")
            .utf8.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
        let sent = text.map { $0 == 10 ? "%0D%0A" : "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let body = "event=fixture.rate&payload={}&version=7&session=mark&input.tags=\(sent)"
        let form = try SubmittedForm(FormData(Array(body.utf8)))
        let payload = form.payload(of: action, declared: [])
        guard case .array(let values) = payload[field: "tags"] else {
            Issue.record("no list")
            return
        }
        #expect(values.map { $0.string.map { Array($0.utf8) } } == tags.map { Array($0.utf8) })
    }

    @Test func fieldsAndCombiningMarksAreLimited() {
        let marks = Array(("a=" + String(repeating: "\u{334}\u{300}", count: 129)).utf8)
        #expect(throws: FormData.Refusal.tooManyMarks) { try FormData(marks) }
        let fields = Array(String(repeating: "a=&", count: 1_001).utf8)
        #expect(throws: FormData.Refusal.tooManyFields) { try FormData(fields) }
    }

    @Test func theSamePressIsTheSame() throws {
        func press(_ body: String) throws -> [UInt8] {
            try SubmittedForm(FormData(Array("session=mark&\(body)".utf8))).press(
                declared: [EventField("word", PlainType.string.secret), EventField("note", .string)])
        }
        let first = try press("event=a&version=1&input.note=x&input.word=y")
        #expect(try press("event=a&version=1&input.note=x&input.word=z") == first)
        #expect(!String(decoding: first, as: UTF8.self).contains("y"))
        for other in [
            "event=b&version=1&input.note=x", "event=a&version=2&input.note=x", "event=a&version=1&input.note=z",
        ] {
            #expect(try press(other) != first)
        }
    }
}

extension Action {
    /// The fields of the action's inputs.
    fileprivate var declared: [EventField] { inputs.map { EventField($0.field, $0.type) } }
}
