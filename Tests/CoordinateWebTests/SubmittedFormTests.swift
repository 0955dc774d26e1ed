import Coordinate
import CoordinateWeb
import Testing

/// What browsers send for a form, as the payload of its event.
struct SubmittedFormTests {
    private let state = NavigationState.showing(actions: [FixtureEvents.form])

    private func payload(_ entries: String) throws -> PlainValue {
        let form = try SubmittedForm(FormData(Array("event=fixture.rate&payload={}&version=7\(entries)".utf8)))
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
        ("&input.other=x", "other", .string("x")),
    ]

    @Test(arguments: entries)
    func anEntryIsAValueOfTheFieldsType(entries: String, field: String, value: PlainValue) throws {
        #expect(try payload(entries)[field: field] == value)
    }

    @Test func whatWasShownStaysUnlessItIsAnInput() throws {
        let body = "event=fixture.open&payload=%7B%22id%22%3A%22a%22%7D&version=0"
        let form = try SubmittedForm(FormData(Array(body.utf8)))
        #expect(form.action(in: state) == nil)
        #expect(form.payload(of: nil, declared: []) == .object([PlainField("id", .string("a"))]))
    }

    @Test func anObjectIsTypedAsJSON() throws {
        let order = Action(
            title: "Order", event: FixtureEvents.order(.init(id: "1")), inputs: [.init("order", title: "Order")])
        let body = "event=fixture.order&payload={}&version=0&input.order=%7B%22id%22:%222%22%7D"
        let form = try SubmittedForm(FormData(Array(body.utf8)))
        let payload = form.payload(of: order, declared: [])
        #expect(payload[field: "order"] == .object([PlainField("id", .string("2"))]))
    }

    @Test func theFormIsThatOfTheActionWithTheSamePayload() throws {
        let actions = ["a", "b"].map { Action(title: $0, event: FixtureEvents.open($0)) }
        let state = NavigationState.showing(actions: actions)
        let body = "event=fixture.open&payload=%7B%22id%22%3A%22b%22%7D&version=0"
        #expect(try SubmittedForm(FormData(Array(body.utf8))).action(in: state) == actions[1])
    }

    @Test(
        arguments: [
            "", "event=a", "version=1", "event=a&version=x", "event=a&version=-1", "event=a&event=b&version=1",
            "event=a&version=1&version=2", "event=a&version=1&payload=[]", "event=a&version=1&payload={",
            "event=a&version=1&payload={}&payload={}",
        ])
    func otherBodiesAreRefused(body: String) {
        #expect(throws: SubmittedForm.Malformation.self) { try SubmittedForm(FormData(Array(body.utf8))) }
    }

    @Test(
        arguments: [
            ("a=b", "b"), ("a=", ""), ("a", ""), ("a=%41", "A"), ("a=%4", "%4"), ("a=%zz", "%zz"), ("a=%", "%"),
            ("a=1=2", "1=2"), ("a=+", " "), ("a=%2B", "+"), ("a=%FF", "\u{FFFD}"), ("b=1&&a=2", "2"),
        ])
    func aBodyIsReadAsBrowsersWriteIt(body: String, value: String) {
        #expect(FormData(Array(body.utf8)).value(of: "a") == value)
    }
}

extension Action {
    /// The fields of the action's inputs.
    fileprivate var declared: [EventField] { inputs.map { EventField($0.field, $0.type) } }
}
