internal import Foundation

/// A report for continuous integration: the part of JUnit's XML that all tools support
/// (https://github.com/testmoapp/junitxml).
struct JUnitReport {
    enum Result: String {
        case success
        /// The tested condition does not hold.
        case failure
        /// The condition could not be tested.
        case error
        /// The condition was not tested.
        case skipped
    }

    struct Case {
        let className: String
        let name: String
        var time = Duration.zero
        var result = Result.success
        /// The reason why it did not pass.
        var message = ""
    }

    let suite: String
    let cases: [Case]
}

extension JUnitReport: CustomStringConvertible {
    /// The document, with a line feed at the end.
    var description: String {
        func count(_ result: Result) -> Int { cases.count { $0.result == result } }
        let time = cases.reduce(.zero) { $0 + $1.time }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(Self.escape(suite))" tests="\(cases.count)" failures="\(count(.failure))" \
            errors="\(count(.error))" skipped="\(count(.skipped))" time="\(Self.seconds(time))">
            \(cases.map(Self.text).joined())  </testsuite>
            </testsuites>

            """
    }

    private static func text(of testCase: Case) -> String {
        let head =
            #"    <testcase classname="\#(escape(testCase.className))" name="\#(escape(testCase.name))" time="\#(seconds(testCase.time))""#
        guard testCase.result != .success else { return "\(head)/>\n" }
        let (tag, message) = (testCase.result.rawValue, escape(testCase.message))
        // Readers show the attribute, or the text between the tags.
        let text = testCase.result == .skipped ? "/>" : ">\(message)</\(tag)>"
        return "\(head)>\n      <\(tag) message=\"\(message)\"\(text)\n    </testcase>\n"
    }

    private static func seconds(_ time: Duration) -> String {
        String(format: "%.3f", time / .seconds(1))
    }

    /// A text that is valid between tags and between quotes. Characters that XML 1.0 does not allow (section 2.2) are
    /// replaced by U+FFFD. White space is escaped so that it is preserved (section 3.3.3).
    private static func escape(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: String(scalar)
            }
        }.joined()
    }
}
