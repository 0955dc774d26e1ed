package import CoordinateSessions

extension CrashNote {
    /// Crashes of a session, one after the other, and the number of consecutive ones with each.
    package static let running: [(crash: CrashNote, times: Int)] = [
        (.make(), 1), (.make(), 2), (.make(event: "test.fail"), 3),
        // Another version of the session, or of the app.
        (.make(version: 4), 1), (.make(version: 4, appVersion: "2\0\u{10FFFF}"), 1),
        (.make(version: 4, appVersion: "2\0\u{10FFFF}"), 2), (.make(version: 4), 1),
        // A repeated turn.
        (.make(version: 4, isRepeated: true), 1), (.make(version: 4, isRepeated: true), 2), (.make(version: 4), 1),
    ]

    package static func make(
        version: Int = 3, isRepeated: Bool = false, event: String = "test.push", appVersion: String = "1",
        times: Int = 1
    ) -> CrashNote {
        CrashNote(version: version, isRepeated: isRepeated, event: event, appVersion: appVersion, times: times)
    }

    /// The same crash with a number of consecutive ones.
    package func with(times: Int) -> CrashNote {
        CrashNote(version: version, isRepeated: isRepeated, event: event, appVersion: appVersion, times: times)
    }
}
