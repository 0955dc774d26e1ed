internal import Foundation

/// A report for continuous integration: the part of JUnit's XML that all tools support
/// (https://github.com/testmoapp/junitxml).
struct JUnitReport {
    struct Case {
        enum Problem {
            /// The tested condition does not hold.
            case failure(String)
            /// The condition could not be tested.
            case error(String)
            /// The condition was not tested.
            case skipped(String)
        }

        let className: String
        let name: String
        let time: Duration
        /// `nil` if the test passed.
        let problem: Problem?
    }

    let suite: String
    let cases: [Case]
}

extension JUnitReport: CustomStringConvertible {
    /// The document, with a line feed at the end.
    var description: String {
        let failures = cases.count { if case .failure = $0.problem { true } else { false } }
        let errors = cases.count { if case .error = $0.problem { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.problem { true } else { false } }
        let time = cases.reduce(.zero) { $0 + $1.time }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(Self.escape(suite))" tests="\(cases.count)" failures="\(failures)" errors="\(errors)" \
            skipped="\(skipped)" time="\(Self.seconds(time))">
            \(cases.map { Self.text(of: $0) }.joined())  </testsuite>
            </testsuites>

            """
    }

    private static func text(of testCase: Case) -> String {
        let attributes =
            #"classname="\#(escape(testCase.className))" name="\#(escape(testCase.name))" time="\#(seconds(testCase.time))""#
        return switch testCase.problem {
        case nil: "    <testcase \(attributes)/>\n"
        case .failure(let message): "    <testcase \(attributes)>\n\(element("failure", message))    </testcase>\n"
        case .error(let message): "    <testcase \(attributes)>\n\(element("error", message))    </testcase>\n"
        case .skipped(let message):
            "    <testcase \(attributes)>\n      <skipped message=\"\(escape(message))\"/>\n    </testcase>\n"
        }
    }

    /// The XML of a problem, in an attribute and between the tags, because readers show one or the other.
    private static func element(_ name: String, _ message: String) -> String {
        let message = escape(message)
        return "      <\(name) message=\"\(message)\">\(message)</\(name)>\n"
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
