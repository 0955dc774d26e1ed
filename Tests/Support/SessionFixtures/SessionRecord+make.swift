package import Coordinate
package import CoordinateSessions

extension SessionRecord {
    package static func make(
        app: String = "Racing", options: PlainValue = .object([]), path: String = "/splash",
        begun: [PendingWork] = [], parent: ForkPoint? = nil, isWorkWithheld: Bool = false, key: String? = nil,
        attributes: [String: String] = [:]
    ) -> SessionRecord {
        SessionRecord(
            id: .random(), key: key, app: app, appVersion: "1.0", options: options, createdAt: Timestamp(seconds: 1),
            seed: 7, path: path, begun: begun, parent: parent, attributes: attributes, isWorkWithheld: isWorkWithheld)
    }

    /// A session that sets timers when it is started.
    package static func make(
        app: String = "Racing", timers: [Int], parent: ForkPoint? = nil, isWorkWithheld: Bool = false
    )
        -> SessionRecord
    {
        let begun = timers.enumerated().map { index, moment in
            PendingWork(
                id: "0-\(index + 1)", name: "offer", at: "AppCoordinator", due: Timestamp(seconds: moment))
        }
        return make(app: app, begun: begun, parent: parent, isWorkWithheld: isWorkWithheld)
    }
}
