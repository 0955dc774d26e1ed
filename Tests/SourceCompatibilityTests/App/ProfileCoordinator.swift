import Coordinate

class ProfileCoordinator: ContainerCoordinator<ProfileViewController>, HasDependencies {
    var dependencies: AppDependencies?

    private(set) var presentations = 0

    override init() {
        super.init()
        rootViewController.tabBarItem = UITabBarItem(title: "Profile", image: UIImage(named: "user-icon"), tag: 2)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.title = dependencies?.dataManager.userName
    }

    override func interceptEvent(_ event: CoordinateEvents) -> Bool {
        guard let event = event as? AppEvents.Profile else { return false }
        switch event {
        case .willEdit:
            present(EditorCoordinator(), animated: true, completion: { self.presentations += 1 })
        case .didEdit(let name):
            dependencies?.dataManager.userName = name
            rootViewController.title = name
            dismiss(animated: true, completion: nil)
        }
        return true
    }
}

class EditorCoordinator: Coordinator<EditorViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.userName = dependencies?.dataManager.userName
    }

    override func stop(with completion: @escaping () -> Void = {}) {
        rootViewController.userName = nil
        super.stop(with: completion)
    }
}

class ProfileViewController: UIViewController, Coordinated {
    var parentCoordinator: Coordinating?

    func didTapEdit() {
        emitEvent(AppEvents.Profile.willEdit)
    }
}

class EditorViewController: UIViewController, Coordinated {
    var parentCoordinator: Coordinating?

    var userName: String?

    func didTapSave(_ name: String) {
        emitEvent(AppEvents.Profile.didEdit(name: name))
    }
}
