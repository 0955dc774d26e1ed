internal import Coordinate
internal import Glibc

/// A checkout that accepts a payment, and reminds its user of it.
struct PaymentApp: CoordinatedApp {
    let name = "Payment"
    let version: String
    let events = EventCatalog(PaymentEvents.self)
    let routes = RouteCatalog(CheckoutCoordinator.Route.self)
    let till: Till

    func makeRootCoordinator() -> CoordinatorNode {
        let root = CheckoutCoordinator()
        root.setDependencies(dependencies: PaymentDependencies(till: till))
        return root
    }
}

struct PaymentDependencies: AppDependenciesProtocol { let till: Till }

enum PaymentEvents: CoordinateEvents, Equatable {
    case pay
    /// Requests the payment, whose outcome crashes the process.
    case payAndTrap
    case cancel
    case didPay(_ receipt: String)
    case didNotPay(_ failure: WorkFailure)
    case remind(_ seconds: Int)
    case didRemind
    /// Crashes the process if there is a mine, in replays as well.
    case step
    /// Blocks for a while.
    case linger(_ milliseconds: Int)
    /// Blocks while there is a file `stall`.
    case stall
    /// An event that crashes the process, or never returns.
    case trap
    case trapAfter(_ seconds: Int)
    case recurse
    case loop
    /// Never returns, and leaves the processors to others.
    case hang
}

extension PaymentEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "payment", .event("pay", .pay), .event("payAndTrap", .payAndTrap),
        .event("cancel", .cancel),
        .event("didPay", Self.didPay, "receipt") { if case .didPay(let receipt) = $0 { receipt } else { nil } }.appOnly,
        .event("didNotPay", Self.didNotPay, "reason") {
            if case .didNotPay(let failure) = $0 { failure } else { nil }
        }.appOnly,
        .event("remind", Self.remind, "seconds") { if case .remind(let seconds) = $0 { seconds } else { nil } },
        .event("didRemind", .didRemind).appOnly, .event("step", .step),
        .event("linger", Self.linger, "milliseconds") {
            if case .linger(let milliseconds) = $0 { milliseconds } else { nil }
        },
        .event("stall", .stall),
        .event("trap", .trap),
        .event("trapAfter", Self.trapAfter, "seconds") {
            if case .trapAfter(let seconds) = $0 { seconds } else { nil }
        },
        .event("recurse", .recurse),
        .event("loop", .loop),
        .event("hang", .hang)
    )
}

final class CheckoutCoordinator: Coordinator<CheckoutViewController>, HasDependencies, HasRoutes {
    enum Route: Equatable {
        case cart
        case paying
        case paid(_ receipt: String)
        case declined
        case reminded(_ times: Int)
    }

    var dependencies: PaymentDependencies?
    var activeRoute = Route.cart
    private var reminders = 0

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? PaymentEvents else { return false }
        switch event {
        case .pay: pay()
        case .payAndTrap: pay { _ in .trap }
        case .cancel:
            cancel("payment")
            activeRoute = .cart
        case .didPay(let receipt): activeRoute = .paid(receipt)
        case .didNotPay: activeRoute = .declined
        case .remind(let seconds): perform("reminder", after: .seconds(seconds), PaymentEvents.didRemind)
        case .didRemind:
            reminders += 1
            activeRoute = .reminded(reminders)
        case .step: if dependencies?.till.isMined == true { trap() }
        case .linger(let milliseconds): usleep(UInt32(milliseconds) * 1_000)
        case .stall: dependencies?.till.stall()
        case .trap: trap()
        case .trapAfter(let seconds): perform("trap", after: .seconds(seconds), PaymentEvents.trap)
        case .recurse: reminders = depth(below: reminders)
        case .loop: while reminders >= 0 { reminders = (reminders + 1) % 1_000 }
        case .hang: while reminders >= 0 { sleep(1) }
        }
        return true
    }

    func goTo(_ route: Route) { activeRoute = route }

    private func trap() { reminders = [Int]()[reminders] }

    private func depth(below depth: Int) -> Int { depth < 0 ? 0 : 1 + self.depth(below: depth + 1) % 7 }

    private func pay(then done: @escaping @Sendable (String) -> PaymentEvents = PaymentEvents.didPay) {
        guard let till = dependencies?.till else { return }
        perform(
            "payment", timeLimit: .seconds(120), { context in try await till.take(context) },
            done: done, failed: PaymentEvents.didNotPay)
        activeRoute = .paying
    }
}

extension CheckoutCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .route("cart", .cart), .route("paying", .paying),
        .route("paid/{receipt}", Self.paid) { if case .paid(let receipt) = $0 { receipt } else { nil } },
        .route("declined", .declined),
        .route("reminded/{times}", Self.reminded) { if case .reminded(let times) = $0 { times } else { nil } }
    )
}

final class CheckoutViewController: ViewController {}
