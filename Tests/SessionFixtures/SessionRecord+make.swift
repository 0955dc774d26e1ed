package import Coordinate
package import CoordinateSessions

extension SessionRecord {
    package static func make(
        app: String = "Racing", options: PlainValue = .object([]), path: String = "/splash",
        parent: ForkPoint? = nil
    ) -> SessionRecord {
        SessionRecord(
            id: .random(), app: app, appVersion: "1.0", options: options, createdAt: Timestamp(seconds: 1), seed: 7,
            path: path, parent: parent)
    }
}
