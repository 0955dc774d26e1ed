import Coordinate

final class FormCoordinator: Coordinator<FormViewController> {
    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case NoteEvents.save("") = event else { return false }
        rootViewController.error = "Enter a note."
        return true
    }
}

final class FormViewController: ViewController {
    var error: String?

    override var currentTitle: String? { "New note" }
    override var actions: [Action] {
        let input = Action.Input("text", title: "Text", error: error)
        return [Action(title: "Save", event: NoteEvents.save(""), inputs: [input])]
    }
}

func checkPassword(of user: String, _ password: String) async throws {
    guard password == "open sesame" else { throw WorkFailure("is wrong") }
}

final class LoginCoordinator: Coordinator<LoginViewController>, NeedsDependencies {
    var dependencies: AppDependencies!

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case NoteEvents.logIn(let user, let password):
            cancel("login")
            perform(
                "login", with: password, { try await checkPassword(of: user, $1) },
                done: { NoteEvents.didLogIn(user) }, failed: NoteEvents.didNotLogIn)
        case NoteEvents.didLogIn(let user): dependencies.notebook.user = user
        case NoteEvents.didNotLogIn(let failure): rootViewController.error = failure.reason
        default: return false
        }
        return true
    }
}

final class LoginViewController: ViewController {
    var error: String?

    override var currentTitle: String? { "Log in" }
    override var actions: [Action] {
        let inputs: [Action.Input] = [.init("user", title: "User"), .init("password", title: "Password", error: error)]
        return [Action(title: "Log in", event: NoteEvents.logIn("", Secret("")), inputs: inputs)]
    }
}
