package import Coordinate

/// An app of one screen, whose path names the last event. Its buttons are hard to name, and it can have a defect.
package struct KioskApp: CoordinatedApp {
    package enum Defect: CaseIterable, Sendable {
        /// The button that draws a number has another title.
        case otherTitle
        /// The login has no input for the user.
        case missingInput
        /// No coordinator handles the event of a button.
        case unhandled
        /// An event leads elsewhere.
        case otherPath
        /// The login requests no work.
        case noWork
    }

    /// The defect of the apps that are created in a task; `nil` for none.
    @TaskLocal package static var defect: Defect?

    package let name = "Kiosk"
    package let version = "1.0"
    package let events = EventCatalog(KioskEvents.self)
    package let routes = RouteCatalog(KioskCoordinator.Route.self)
    private let defect = Self.defect

    package init() {}

    package func makeRootCoordinator() -> CoordinatorNode { KioskCoordinator(defect) }

    /// What could end a literal, or be more than text in some language.
    package static let hostileText =
        "it's '\u{301} \"quoted\" ''' \"\"\" # \\#(x) \"# \\n $HOME `id` $(id) %s\n\r\t\u{0} \u{2028} é 🏁 {x} EOF\n"
    /// A whole number that no 64-bit floating-point number equals.
    package static let largeNumber = 9_007_199_254_740_993
}

package enum KioskEvents: CoordinateEvents, Equatable {
    case draw
    case add(_ dish: String, count: Int)
    case write(_ text: String, serial: Int)
    case logIn(_ user: String, password: Secret)
    case reset
    case ignore
    // Only the app and its host can emit these.
    case didLogIn(_ user: String)
    case didFail
    case didCall(_ number: Int)
}

extension KioskEvents: DeclaredEvents {
    package static let declaration = EventDeclaration<Self>(
        "kiosk",
        .event("draw", .draw), .event("reset", .reset), .event("ignore", .ignore),
        .event("add", Self.add, "dish", "count") {
            if case .add(let dish, let count) = $0 { (dish, count) } else { nil }
        },
        .event("write", Self.write, "text", "serial") {
            if case .write(let text, let serial) = $0 { (text, serial) } else { nil }
        },
        .event("logIn", Self.logIn, "user", "password") {
            if case .logIn(let user, let password) = $0 { (user, password) } else { nil }
        },
        .event("didLogIn", Self.didLogIn, "user") { if case .didLogIn(let user) = $0 { user } else { nil } }.appOnly,
        .event("didFail", .didFail).appOnly,
        .event("didCall", Self.didCall, "number") { if case .didCall(let number) = $0 { number } else { nil } }.appOnly
    )
}

package final class KioskCoordinator: Coordinator<KioskViewController>, HasRoutes {
    package enum Route: DeclaredRoutes {
        case at(_ place: String)

        package static let declaration = RouteDeclaration<Self>(
            .route("kiosk/{place}", Self.at) { if case .at(let place) = $0 { place } else { nil } })
    }

    package var activeRoute = Route.at("start")
    private let defect: KioskApp.Defect?

    init(_ defect: KioskApp.Defect?) {
        self.defect = defect
        super.init()
        rootViewController.defect = defect
    }

    package func goTo(_ route: Route) { activeRoute = route }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? KioskEvents else { return false }
        switch event {
        case .draw: goTo(.at("drawn \(Int.random(in: 0..<1_000_000, using: &random))"))
        case .add(let dish, let count): goTo(.at("\(count) \(dish)\(defect == .otherPath ? "!" : "")"))
        case .write(_, let serial): goTo(.at("written \(serial)"))
        case .logIn(let user, let password):
            goTo(.at("login"))
            guard defect != .noWork else { return true }
            perform(
                "login", with: password, { _, password in password == "open sesame" ? user : "guest" },
                done: { KioskEvents.didLogIn($0) }, failed: { _ in KioskEvents.didFail })
        case .didLogIn(let user): goTo(.at("user \(user)"))
        case .didFail: goTo(.at("failed"))
        case .didCall(let number): goTo(.at("called \(number)"))
        case .reset where defect != .unhandled:
            present(Alert(title: "Reset?", choices: [.init("yes", title: "Yes"), .init("no", title: "No")])) {
                [unowned self] in goTo(.at("reset \($0?.id ?? "")"))
            }
        case .reset, .ignore: return false
        }
        return true
    }
}

package final class KioskViewController: ViewController {
    fileprivate var defect: KioskApp.Defect?

    package override var rows: [Screen.Row] {
        ["bread", "soup"].map { dish in
            Screen.Row(
                id: dish, title: dish,
                actions: [
                    Action(
                        title: "Add", event: KioskEvents.add(dish, count: 1),
                        inputs: [Action.Input("count", title: "Count")])
                ])
        }
    }

    package override var actions: [Action] {
        let login = ["user", "password"].filter { $0 != "user" || defect != .missingInput }
        return [
            Action(title: defect == .otherTitle ? "Pull" : "Draw", event: KioskEvents.draw),
            Action(title: "Reset", event: KioskEvents.reset),
            Action(
                title: KioskApp.hostileText, event: KioskEvents.write("", serial: 1),
                inputs: [Action.Input("text", title: "Text"), Action.Input("serial", title: "Serial")]),
            Action(
                title: "Log in", event: KioskEvents.logIn("", password: Secret("")),
                inputs: login.map { Action.Input($0, title: $0) }),
        ]
    }
}
