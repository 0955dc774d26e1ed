package import Coordinate

/// An app of forms: the guests of a party, and the things that they bring.
package struct FormApp: CoordinatedApp {
    package let name = "Forms"
    package let version = "1.0"
    package let events = EventCatalog(FormEvents.self)
    package let routes = RouteCatalog()

    package init() {}

    package func makeRootCoordinator() -> CoordinatorNode { FormRootCoordinator() }
}

/// Shows the form until it is filled in correctly, then the list of things.
package final class FormRootCoordinator: ContainerCoordinator<ViewController> {
    private let form = SignUpCoordinator()
    private let list = DishesCoordinator()

    package override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(form)
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case FormEvents.join(let name, let zip, let country, let guests, let newsletter, _):
            form.rootViewController.draft = .init(name, zip, country, guests, newsletter)
            guard zip.utf8.count == 4 else { break }
            list.dismiss()
            root(list)
        case FormEvents.invite:
            form.rootViewController.draft.name = ""
            list.present(form, animated: true)
        default: return false
        }
        return true
    }
}

package final class SignUpCoordinator: Coordinator<SignUpViewController> {}

package final class SignUpViewController: ViewController {
    struct Draft {
        var name = "", zip = "8001", country = FormEvents.Country.ch, guests: Int?, newsletter = false

        init() {}

        init(_ name: String, _ zip: String, _ country: FormEvents.Country, _ guests: Int?, _ newsletter: Bool) {
            (self.name, self.zip, self.country, self.guests, self.newsletter) = (name, zip, country, guests, newsletter)
        }
    }

    var draft = Draft()

    package override var actions: [Action] {
        let countries: [Action.Input.Choice] = [
            .init(FormEvents.Country.ch, title: "Switzerland"), .init(FormEvents.Country.de, title: "Germany"),
            .init(FormEvents.Country.fr, title: "France"),
        ]
        let event = FormEvents.join(
            name: draft.name, zip: draft.zip, draft.country, guests: draft.guests, newsletter: draft.newsletter,
            Secret(""))
        return [
            Action(
                title: "Join", event: event,
                inputs: [
                    .init("name", title: "Name"),
                    .init("zip", title: "Zip", error: draft.zip.utf8.count == 4 ? nil : "has four digits"),
                    .init("country", title: "Country", choices: countries), .init("guests", title: "Guests"),
                    .init("newsletter", title: "Newsletter"), .init("password", title: "Password"),
                ])
        ]
    }
}

package final class DishesCoordinator: Coordinator<DishesViewController> {
    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case FormEvents.bring(let dish, let count): rootViewController.counts[dish] = max(0, count)
        case FormEvents.drop(let dish): rootViewController.counts[dish] = nil
        default: return false
        }
        return true
    }
}

package final class DishesViewController: ViewController {
    var counts: [FormEvents.Dish: Int] = [.soup: 1]

    package override var rows: [Screen.Row] {
        FormEvents.Dish.allCases.map { dish in
            let count = counts[dish] ?? 0
            let set = Action(
                title: "Set", event: FormEvents.bring(dish, count), inputs: [.init("count", title: "How many")])
            return Screen.Row(
                id: dish.rawValue, title: dish.rawValue, value: "\(count)", isFavorite: count > 0,
                delete: count > 0 ? Action(title: "Drop", event: FormEvents.drop(dish)) : nil,
                actions: [
                    Action(title: "−", event: FormEvents.bring(dish, count - 1)),
                    Action(title: "+", event: FormEvents.bring(dish, count + 1)), set,
                ])
        }
    }

    package override var actions: [Action] { [Action(title: "Invite", event: FormEvents.invite)] }
}
