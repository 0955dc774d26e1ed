import Coordinate
import CoordinateMacros

@Events("pro")
enum ProEvents: CoordinateEvents {
    case buy
    @AppOnly case didPay(_ receipt: String)
    @AppOnly case didFail(_ failure: WorkFailure)
}

final class ProCoordinator: Coordinator<ProViewController>, NeedsDependencies {
    var dependencies: AppDependencies!

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case ProEvents.buy:
            guard rootViewController.canBuy else { return false }
            rootViewController.progress = .loading
            perform(
                "pay", { [service = dependencies.service] in try await service.pay(cents: 500, key: $0.key) },
                done: ProEvents.didPay, failed: ProEvents.didFail)
        case ProEvents.didPay(let receipt):
            dependencies.notebook.receipt = receipt
            rootViewController.progress = .ready
        case ProEvents.didFail: rootViewController.progress = .failed
        default: return false
        }
        return true
    }
}

final class ProViewController: ViewController, NeedsDependencies {
    var dependencies: AppDependencies!
    var progress = Screen.Status.ready

    var canBuy: Bool { progress != .loading && dependencies.notebook.receipt == nil }

    override var currentTitle: String? { "Pro" }
    override var status: Screen.Status { progress }
    override var message: String? {
        if status == .failed { return "The payment failed. Try again." }
        return dependencies.notebook.receipt.map { "You have Pro. Receipt \($0)." } ?? "Pro costs €5."
    }
    override var actions: [Action] { canBuy ? [Action(title: "Buy", event: ProEvents.buy)] : [] }
}
