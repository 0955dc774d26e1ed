import Coordinate

/// The form of an address. It keeps an invalid address, and passes a valid one on to its parents.
final class AddressCoordinator: Coordinator<AddressViewController>, NeedsDependencies {
    var dependencies: AppDependencies!

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let form = event as? AppEvents.AddressForm else { return false }
        rootViewController.entered = form.address
        rootViewController.errors = form.address.errors
        return !form.address.errors.isEmpty
    }

    override func alertBeforeLeaving() -> Alert? {
        guard !rootViewController.errors.isEmpty else { return nil }
        return Alert(title: text(.discardChanges), choices: [.discard(text(.discard)), .stay(text(.keepEditing))])
    }
}

final class AddressViewController: ShopViewController {
    var entered: Address?
    var errors: [String: Text] = [:]

    override var currentTitle: String? { text(.address) }

    override var actions: [Action] {
        let shown = entered ?? store.customer?.address ?? Address()
        let event = AppEvents.AddressForm.submit(
            name: shown.name, street: shown.street, zip: shown.zip, country: shown.country)
        let texts = [("name", Text.name), ("street", .street), ("zip", .zip)].map { field, title in
            Action.Input(field, title: text(title), error: errors[field].map { text($0) })
        }
        let countries = Country.allCases.map { Action.Input.Choice($0, title: text($0.name)) }
        let inputs = texts + [.init("country", title: text(.country), choices: countries)]
        return [button(.save, event, inputs: inputs, role: .primary)]
    }
}
