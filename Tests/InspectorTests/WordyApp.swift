import Coordinate

/// An app with long names, and with text that reads from right to left.
struct WordyApp: CoordinatedApp {
    let name = "SubscriptionManagementAndRenewalReminders"
    let version = "1.0"
    let events = EventCatalog(WordyEvents.self)
    let routes = RouteCatalog(SubscriptionManagementOverviewNavigationCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { SubscriptionManagementOverviewNavigationCoordinator() }
}

enum WordyEvents: CoordinateEvents, Equatable {
    case didSelect(_ method: String, _ day: Int)
}

extension WordyEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "subscriptionManagementAndRenewalReminders",
        .event(
            "didSelectAnAlternativePaymentMethodForTheNextRenewal", Self.didSelect, "paymentMethodIdentifier",
            "dayOfMonth"
        ) { if case .didSelect(let method, let day) = $0 { (method, day) } else { nil } })
}

/// A class with a very long name.
final class SubscriptionManagementOverviewNavigationCoordinator: NavigationCoordinator<NavigationController>, HasRoutes
{
    enum Route: DeclaredRoutes {
        case overview

        static let declaration = RouteDeclaration<Self>(
            .route("subscription-management-and-renewal-reminders/overview-of-all-payment-methods", .overview))
    }

    var activeRoute = Route.overview

    func goTo(_ route: Route) {
        root(AlternativePaymentMethodSelectionScreenCoordinator())
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard event is WordyEvents else { return false }
        show(AlternativePaymentMethodSelectionScreenCoordinator(), sender: self)
        return true
    }
}

final class AlternativePaymentMethodSelectionScreenCoordinator: Coordinator<PaymentMethodsViewController> {}

final class PaymentMethodsViewController: ViewController {
    override var currentTitle: String? { "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" }

    override var rows: [Screen.Row] {
        let choose = Action(
            title: "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
            event: WordyEvents.didSelect("חשבון בנק!", 5))
        return [Screen.Row(id: "method", title: "חשבון בנק!", action: choose)]
    }
}
