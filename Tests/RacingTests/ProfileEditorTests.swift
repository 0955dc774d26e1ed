import Coordinate
import Testing

@testable import Racing

struct ProfileEditorTests {
    private let app: AppCoordinator

    init() throws {
        app = try AppCoordinator.started(at: "/main/profile")
    }

    @Test func theEditorIsAModalOfTheProfile() throws {
        let edit = try #require(app.navigationState.screen.actions.first { $0.title == "Edit profile" })
        #expect(try app.send(edit).handledBy == "AppCoordinator/MainCoordinator/ProfileCoordinator")
        #expect(app.path == "/main/profile/edit")
        #expect(
            app.navigationState.leaf
                == "AppCoordinator/MainCoordinator/ProfileCoordinator/ProfileEditorCoordinator")
        #expect(app.trail == ["/main/profile", "/main/profile/edit"])
        #expect(app.navigationState.screen.actions[0].inputs.map(\.value) == [.string("Coordinate Ambassador")])
        #expect(app.navigationState.dismiss?.title == "Close")
        #expect(app.navigationState.back == nil)
        #expect(app.navigationState.tabs.isEmpty)
    }

    @Test func renameChangesTheNameAndDismissesTheEditor() throws {
        app.emit(AppEvents.Profile.edit)
        app.emit(AppEvents.Profile.rename(try #require(ProfileName("Ada"))))
        #expect(app.path == "/main/profile")
        #expect(app.navigationState.screen.title == "Ada")
        #expect(app.navigationState.tabs.map(\.title) == ["Teams", "Drivers", "Profile"])
        app.emit(AppEvents.Profile.edit)
        #expect(app.navigationState.screen.actions[0].inputs.map(\.value) == [.string("Ada")])
        #expect(app.trail == ["/main/profile", "/main/profile/edit"])
    }

    @Test(arguments: [(0, false), (1, true), (80, true), (81, false)])
    func aNameHasOneToEightyCharacters(count: Int, isAccepted: Bool) throws {
        app.emit(AppEvents.Profile.edit)
        let entry = try #require(RacingApp(season: app.season).events.entry(named: "profile.rename"))
        let payload = PlainValue.object([PlainField("name", .string(String(repeating: "é", count: count)))])
        if isAccepted {
            app.emit(try entry.event(from: payload, in: app.dependencies))
            #expect(app.navigationState.screen.title?.count == count)
        } else {
            let error = #expect(throws: EventDecodingError.self) {
                try entry.event(from: payload, in: app.dependencies)
            }
            #expect(error?.field == "name")
        }
    }
}
