internal import Foundation

/// A report that programs for continuous integration read: JUnit's XML, as much of it as all of them know
/// (https://github.com/testmoapp/junitxml).
struct JUnitReport {
    struct Case {
        enum Problem {
            /// The thing tested is not so.
            case failure(String)
            /// It could not be tested.
            case error(String)
        }

        let className: String
        let name: String
        let time: Duration
        /// Nil where all is well.
        let problem: Problem?
    }

    let suite: String
    let cases: [Case]
}

extension JUnitReport: CustomStringConvertible {
    /// The document, with a line feed in the end.
    var description: String {
        let failures = cases.count { if case .failure = $0.problem { true } else { false } }
        let errors = cases.count { if case .error = $0.problem { true } else { false } }
        let time = cases.reduce(.zero) { $0 + $1.time }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(Self.escape(suite))" tests="\(cases.count)" failures="\(failures)" errors="\(errors)" \
            skipped="0" time="\(Self.seconds(time))">
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
        }
    }

    /// Some show the attribute, some what is between the tags.
    private static func element(_ name: String, _ message: String) -> String {
        let message = escape(message)
        return "      <\(name) message=\"\(message)\">\(message)</\(name)>\n"
    }

    private static func seconds(_ time: Duration) -> String {
        String(format: "%.3f", time / .seconds(1))
    }

    /// Text that can stand between tags as well as between quotes. What XML 1.0 cannot say at all (section 2.2) is replaced
    /// by U+FFFD; white space is written so that it stays as it is (section 3.3.3).
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
