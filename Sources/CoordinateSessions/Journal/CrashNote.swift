/// A crash of a server's process in a turn of a session, as the process noted it while it died.
public struct CrashNote: Equatable, Sendable {
    /// The version that the turn would have made.
    public let version: Int
    /// True where the version existed before: its event was being replayed, or its route encoded.
    public let isRepeated: Bool
    /// The event's name; in parentheses, another reason for which the app was run.
    public let event: String
    /// The version of the app that crashed.
    public let appVersion: String
    /// The number of crashes in a row in which the same version of the app made the same version of the session.
    public let times: Int

    public init(version: Int, isRepeated: Bool, event: String, appVersion: String, times: Int = 1) {
        self.version = version
        self.isRepeated = isRepeated
        self.event = event
        self.appVersion = appVersion
        self.times = times
    }

    /// The note that a journal keeps in place of the former one: its count goes up where both are about the same turn.
    public func following(_ former: CrashNote?) -> CrashNote {
        guard let former, former.version == version, former.isRepeated == isRepeated, former.appVersion == appVersion
        else { return self }
        return CrashNote(
            version: version, isRepeated: isRepeated, event: event, appVersion: appVersion, times: former.times + 1)
    }

    /// The number of crashes in a row after which a session is quarantined.
    static let limit = 2
}

extension CrashNote: CustomStringConvertible {
    public var description: String {
        let turn =
            switch (event.hasPrefix("("), isRepeated) {
            case (true, _): "what the app was run for was \(event) of version \(version)"
            case (false, true): "the event \(event) of version \(version) was taken once more"
            case (false, false): "the event \(event) was taken, for version \(version)"
            }
        return "\(times) times running, a server's process crashed as \(turn)"
    }
}
