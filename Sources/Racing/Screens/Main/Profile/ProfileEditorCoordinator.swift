import Coordinate

/// The modal for renaming the profile, with `profile.rename`, which its presenter handles.
final class ProfileEditorCoordinator: Coordinator<ProfileEditorViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.profileName = dependencies?.dataManager.profileName
    }
}

final class ProfileEditorViewController: ViewController {
    var profileName: ProfileName?

    required init() {
        super.init()
        title = "Edit profile"
    }

    func didEnter(_ name: ProfileName) {
        emitEvent(AppEvents.Profile.rename(name))
    }

    override var actions: [Action] {
        guard let profileName else { return [] }
        return [
            Action(
                title: "Save", event: AppEvents.Profile.rename(profileName),
                inputs: [Action.Input("name", title: "Name")], role: .primary)
        ]
    }
}
