import Coordinate
import CoordinateExplore
import CoordinateSessions
import Foundation
import Testing

@testable import Shop

/// The journals that `shop-server explore --tests Tests/ShopTests/Journals` has written.
struct JournalTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Journals")
    private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

    private static func lines(of name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    @Test(arguments: names) func theShopBehavesAsRecorded(journal: String) throws {
        try ShopApp().replay(Self.lines(of: journal))
    }

    @Test func theyCoverTheShopAndAreUpToDate() throws {
        let suite = JournalSuite(covering: ShopApp().explore(), of: ShopApp())
        #expect(suite.journals.count <= 15)
        #expect(suite.missed == [])
        #expect((suite.screens.seen, suite.screens.of) == (11, 11))
        let hint: Comment = "Write them again: swift run shop-server explore --tests Tests/ShopTests/Journals"
        #expect(suite.journals.map { "\($0.name).ndjson" }.sorted() == Self.names, hint)
        for journal in suite.journals {
            #expect(try Self.lines(of: "\(journal.name).ndjson") == Data(journal.lines), hint)
        }
    }

    @Test(arguments: [
        (Defect.none, nil), (.unhandledEvent, "handled was true when it was recorded, and is false now."),
        (.missingScreen, "path was /account/edit when it was recorded, and is /account now."),
        (.guard, "path was /orders/17 when it was recorded, and is /orders now."),
    ])
    func aDefectMakesOneFail(defect: Defect, reason: String?) throws {
        var shop = ShopApp()
        shop.makeRoot = { DefectiveCoordinator(defect) }
        let failures = Self.names.compactMap { name -> String? in
            do {
                try shop.replay(Self.lines(of: name))
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(failures.isEmpty == (reason == nil), "\(failures)")
        if let reason { #expect(failures.contains { $0.contains(reason) }, "\(failures)") }
    }

    enum Defect { case none, unhandledEvent, missingScreen, `guard` }

    private final class DefectiveCoordinator: AppCoordinator {
        private let defect: Defect

        init(_ defect: Defect) {
            self.defect = defect
            super.init()
            identifier = "AppCoordinator"
        }

        override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
            if case AppEvents.Account.logOut = event, defect == .unhandledEvent { return false }
            return super.interceptEvent(event)
        }

        override func goTo(_ route: Route) {
            if case .account(.edit) = route, defect == .missingScreen { return super.goTo(.account(.overview)) }
            super.goTo(route)
        }

        override func decide(on route: Route) -> RouteDecision<Route> {
            if case .orders(.order) = route, defect == .guard { return .redirected(to: .orders(.list)) }
            return super.decide(on: route)
        }
    }
}
