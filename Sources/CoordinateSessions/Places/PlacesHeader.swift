internal import Coordinate
internal import JSON

/// The first line of a file of places: the app that recorded them.
package struct PlacesHeader: Equatable, Sendable {
    /// The format of the lines.
    private static let format = 1

    package let app: String
    package let appVersion: String

    package init(app: String, appVersion: String) {
        self.app = app
        self.appVersion = appVersion
    }

    package init(line: [UInt8]) throws(UnreadableJSON) {
        let fields = try JSONFields(line)
        guard fields["places"] == .int(Self.format) else {
            let example = #"{"places": \#(Self.format), "app": "…", "appVersion": "…"}"#
            throw UnreadableJSON(reason: "the first line of recorded places must look like \(example).")
        }
        app = try fields.string("app")
        appVersion = try fields.string("appVersion")
    }

    /// The line, with a line feed.
    package var line: [UInt8] {
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("places", Self.format)
                $0.field("app", app)
                $0.field("appVersion", appVersion)
            }
        }
        return json.finish()
    }
}
