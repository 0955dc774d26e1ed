package import Coordinate
package import CoordinateSessions
internal import JSON

/// A test that repeats a session's events, and expects that they lead where they led.
///
/// Its session begins as the recorded one, with its options and its seed. Its work is withheld, so that the test posts
/// the recorded outcomes, and no timer fires by itself.
package struct RecordedTest: Sendable {
    /// The languages in which tests are written: Swift with CoordinateTesting, a shell script with curl and jq, and
    /// Python with pytest and requests.
    package enum Language: String, CaseIterable, Sendable {
        case swift, curl, python
    }

    /// The texts of the events, from version 1 on. Each one, like ``opening`` and ``closing``, ends with a line feed.
    package private(set) var steps: [String] = []
    private let header: JournalHeader
    /// The first line of the exported journal.
    let beginning: [PlainField]
    /// The address of the server that the test calls by default.
    let server: String
    private let app: HostedApp
    private let language: any TestLanguage
    /// What the session shows before the next event.
    private var visible: VisibleState

    /// - Parameters:
    ///   - visible: What the session shows before its first event.
    ///   - isForOperator: Whether the reader may see the session's reference and key.
    ///   - server: The address of the server that the test calls by default; `nil` for a local one.
    package init(
        as language: Language, of app: HostedApp, _ header: JournalHeader, at visible: VisibleState,
        isForOperator: Bool = true, server: String? = nil
    ) {
        self.language =
            switch language {
            case .swift: SwiftTest()
            case .curl: CurlTest()
            case .python: PythonTest()
            }
        self.app = app
        self.header = header
        self.visible = visible
        self.server = server ?? "http://127.0.0.1:8080"
        var json = JSONWriter<[UInt8]>()
        json.line(header, isForOperator: isForOperator)
        beginning = (try? JSONParser.parse(json.finish()))?.fields ?? []
    }

    /// Appends the next event.
    ///
    /// - Parameter visible: What the session shows after it.
    package mutating func append(_ entry: JournalEntry, showing visible: VisibleState) {
        steps.append(language.step(RecordedStep(entry, of: app.events, from: self.visible)))
        self.visible = visible
    }

    package var opening: String { language.opening(self) }
    package var closing: String { language.closing }

    /// The name of the app's type, which begins with that of its module.
    var appType: String { String(reflecting: type(of: app.app)) }
    /// The path before any event.
    var start: String { header.path }

    /// A sentence about where the test comes from, on one line.
    var origin: String {
        let count = steps.count == 1 ? "1 event" : "\(steps.count) events"
        return "Recorded in \(header.app) \(header.appVersion): \(count), up to \(visible.path)."
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// A few characters that other sessions do not have; none if the reader may not see the session's reference.
    var mark: String { String((header.reference ?? "").filter { $0.isLetter || $0.isNumber }.prefix(6)) }

    /// The words of the path to which the test leads, for its name.
    var destination: [String] {
        let words = visible.path.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
        return words.isEmpty ? ["start"] : words
    }
}
