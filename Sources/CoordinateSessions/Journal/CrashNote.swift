/// A crash of the server's process during a turn of a session. The dying process records it.
public struct CrashNote: Equatable, Sendable {
    /// The version that the turn would have produced.
    public let version: Int
    /// Whether the version existed before, and the turn only replayed its event or encoded its route.
    public let isRepeated: Bool
    /// The name of the event; or, in parentheses, another reason for which the app ran.
    public let event: String
    /// The version of the app that crashed.
    public let appVersion: String
    /// The number of consecutive crashes of the same version of the app at the same version of the session.
    public let times: Int

    public init(version: Int, isRepeated: Bool, event: String, appVersion: String, times: Int = 1) {
        self.version = version
        self.isRepeated = isRepeated
        self.event = event
        self.appVersion = appVersion
        self.times = times
    }

    /// Returns the note with which a journal replaces the former one. The count goes up if both notes are about the
    /// same turn.
    public func following(_ former: CrashNote?) -> CrashNote {
        guard let former, former.version == version, former.isRepeated == isRepeated, former.appVersion == appVersion
        else { return self }
        return CrashNote(
            version: version, isRepeated: isRepeated, event: event, appVersion: appVersion, times: former.times + 1)
    }

    /// The number of consecutive crashes after which a session is quarantined.
    static let limit = 2
}

extension CrashNote: CustomStringConvertible {
    public var description: String {
        let turn =
            switch (event.hasPrefix("("), isRepeated) {
            case (true, _): "the app ran for \(event) at version \(version)"
            case (false, true): "the event \(event) of version \(version) was replayed"
            case (false, false): "the event \(event) ran, for version \(version)"
            }
        return "the server's process crashed \(times) times in a row while \(turn)"
    }
}
