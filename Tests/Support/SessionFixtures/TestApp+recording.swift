extension TestApp {
    /// An exported journal of the test app, four events long.
    package static let recording = [header] + events.map(\.line)

    /// The path after the last of its events.
    package static let recordedPath = "/stack/page/2"

    private static let header =
        #"{"journal":2,"app":"Test","appVersion":"0.1","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":7,"#
        + #""path":"/stack"}"#

    private static let events = [
        Event(version: 1, name: "test.push", payload: #"{"number":1}"#, page: 1),
        Event(version: 2, name: "test.say", payload: #"{"a/b~c":"é\n\"🏁"}"#, page: 1),
        Event(version: 3, name: "test.scale", payload: #"{"factor":0.1}"#, page: 1),
        Event(version: 4, name: "test.push", payload: #"{"number":2}"#, page: 2),
    ]

    private struct Event {
        let version: Int
        let name: String
        let payload: String
        let page: Int

        var line: String {
            let leaf = version == 1 ? "PageCoordinator" : "PageCoordinator-2"
            return #"{"version":\#(version),"time":"2026-11-21T09:30:0\#(version)Z","event":"\#(name)","payload":"#
                + #"\#(payload),"at":"StageCoordinator/StackCoordinator/\#(leaf)","handled":true,"#
                + #""handledBy":"StageCoordinator/StackCoordinator","path":"/stack/page/\#(page)","#
                + #""origin":"client","pending":null}"#
        }
    }
}
