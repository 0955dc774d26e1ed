import Coordinate
import Testing

private struct Address: Equatable {
    var name = ""
    var zip = ""
    var country = Country.switzerland

    /// The reason why the zip is not valid in the country; `nil` if it is valid.
    var zipError: String? {
        zip.count == country.zipLength && zip.allSatisfy(\.isNumber)
            ? nil : "Enter a zip of \(country.zipLength) digits."
    }

    var nameError: String? { name.isEmpty ? "Enter a name. It helps to find the door." : nil }
}

private enum Country: String, CaseIterable, PlainValueConvertible {
    case switzerland = "ch"
    case germany = "de"

    var name: String { self == .switzerland ? "Switzerland" : "Germany" }
    var zipLength: Int { self == .switzerland ? 4 : 5 }
}

private enum AddressEvents: CoordinateEvents, Equatable {
    case enter(name: String, zip: String, _ country: Country)
}

extension AddressEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "address",
        .event("enter", Self.enter, "name", "zip", "country") {
            if case .enter(let name, let zip, let country) = $0 { (name, zip, country) } else { nil }
        }
    )
}

private final class AddressCoordinator: Coordinator<AddressViewController>, HasResult {
    typealias ResultType = Address

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case AddressEvents.enter(let name, let zip, let country) = event else { return false }
        rootViewController.show(Address(name: name, zip: zip, country: country))
        if rootViewController.isComplete { finish(with: rootViewController.draft) }
        return true
    }
}

private final class AddressViewController: ViewController {
    private(set) var draft = Address()
    private var isChecked = false

    var isComplete: Bool { draft.nameError == nil && draft.zipError == nil }

    /// Shows what was entered, and what is wrong with it.
    func show(_ draft: Address) {
        self.draft = draft
        isChecked = true
    }

    override var actions: [Action] {
        let countries = Country.allCases.map { Action.Input.Choice($0, title: $0.name) }
        return [
            Action(
                title: "Continue",
                event: AddressEvents.enter(name: draft.name, zip: draft.zip, draft.country),
                inputs: [
                    Action.Input("name", title: "Name", error: isChecked ? draft.nameError : nil),
                    Action.Input("zip", title: "Zip", error: isChecked ? draft.zipError : nil),
                    Action.Input("country", title: "Country", choices: countries),
                ])
        ]
    }
}

@Test func aFormShowsItsErrors() throws {
    let form = AddressCoordinator()
    try form.turn { form.start() }
    try form.press("Continue", entering: ["name": "Ada", "zip": "80"])
    let inputs = form.navigationState.screen.actions[0].inputs
    #expect(inputs.map(\.value) == [.string("Ada"), .string("80"), .string("ch")])
    #expect(inputs.map(\.error) == [nil, "Enter a zip of 4 digits.", nil])
}

struct FormsTests {
    private let box = ContainerCoordinator<ViewController>()
    private let form = AddressCoordinator()
    private let result = Result()

    /// The address that the form came to.
    private final class Result {
        var address: Address?
    }

    init() throws {
        try box.turn {
            box.start()
            box.root(Coordinator<ViewController>())
            box.present(form) { [result] in result.address = $0 }
        }
    }

    private var inputs: [Action.Input] { box.navigationState.screen.actions.first?.inputs ?? [] }

    private func enter(_ name: String, _ zip: String, _ country: Country) {
        form.rootViewController.emitEvent(AddressEvents.enter(name: name, zip: zip, country))
    }

    @Test func aFormIsItsResultOnceItIsComplete() {
        #expect(inputs.map(\.error) == [nil, nil, nil])
        #expect(inputs[2].choices?.map(\.title) == ["Switzerland", "Germany"])
        enter("Ada", "8001", .germany)
        enter("Ada", "80331", .germany)
        #expect(result.address == Address(name: "Ada", zip: "80331", country: .germany))
        #expect(box.navigationState.screen.style == .page)
    }
}
