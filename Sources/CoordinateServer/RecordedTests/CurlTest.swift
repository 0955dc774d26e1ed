internal import Coordinate

/// A shell script that sends its requests with curl, and reads the answers with jq.
struct CurlTest: TestLanguage {
    func opening(_ test: RecordedTest) -> String {
        """
        #!/bin/sh
        # \(test.origin)
        # Needs curl 7.82 or later, and jq 1.6 or later. Set SERVER for another server, and COORDINATE_API_KEY if it has
        # a key.
        set -eu
        [ "${SERVER:-}" ] || SERVER=\(word(test.server))
        SERVER=${SERVER%/}
        step=0

        send() {
          answer=$(curl -sS --fail-with-body -H 'Prefer: return=minimal' \\
            ${COORDINATE_API_KEY:+-H "Authorization: Bearer $COORDINATE_API_KEY"} "$@") && return
          printf '%s\\n' "$answer" >&2
          exit 1
        }
        open() { step=$((step + 1)); send -X PUT --json "$1" "$session/route"; }
        emit() { step=$((step + 1)); send --json "$1" "$session/events"; }
        press() {
          send "$session/route"
          request=$(printf %s "$answer" | jq -ce --argjson press "$1" --arg step "$((step + 1))" '
            [(.screen.rows[] | .id as $row | .action, .delete, .actions[] | select(.) | . + {row: $row}),
              (.screen.actions[], .navigation.back, .navigation.tabs[].action, .navigation.dismiss | select(.))]
            | map(.title) as $offered
            | map(select(.title == $press.title and (.row == $press.row or $press.row == null)
                and (.event == $press.event or $press.event == null)
                and ($press.entering // {} | keys) - [.inputs[]?.field] == []))
            | map({event, payload: (.payload + $press.entering)}) | unique
            | if length == 1 then .[0]
              else "Step \\($step): \\(length) buttons \\($press | tojson). Offered: \\($offered | tojson)\\n"
                | halt_error end')
          emit "$request"
          expect '{"handled": true}'
        }
        expect() {
          printf %s "$answer" | jq -e --argjson expected "$1" '. * $expected == .' > /dev/null && return
          printf 'Step %s: expected %s, got %s\\n' "$step" "$1" "$answer" >&2
          exit 1
        }

        # The session begins as the recorded one. Its work is withheld: the test posts the outcomes.
        send -H 'Content-Type: application/x-ndjson' "$SERVER/sessions?work=withheld" --data-binary \\
          \(word(literal(test.beginning)))
        session=$SERVER$(printf %s "$answer" | jq -er .links.self)
        trap 'send -X DELETE "$session"' EXIT
        send "$session/route"
        \(expectation([PlainField("path", .string(test.start))]))
        """
    }

    func step(_ step: RecordedStep) -> String {
        let path = PlainField("path", .string(step.path))
        let notes = notes(step, "#")
        // jq 1.6 rounds whole numbers above 2^53, so such an event is sent without it.
        if let press = step.press, step.payload.isExactInDoubles {
            var fields = [PlainField("title", .string(press.title))]
            if let row = press.row { fields.append(PlainField("row", .string(row))) }
            if let event = press.event { fields.append(PlainField("event", .string(event))) }
            if !press.entries.isEmpty { fields.append(PlainField("entering", .object(press.entries))) }
            return "\(notes)press \(word(literal(fields)))\n\(expectation([path]))"
        }
        let request = step.link.map { ("open", [PlainField("path", .string($0))]) } ?? ("emit", step.request)
        let handler = PlainField("handledBy", step.handledBy.map(PlainValue.string) ?? .null)
        return "\(notes)\(request.0) \(word(literal(request.1)))\n\(expectation([handler, path]))"
    }

    private func expectation(_ fields: [PlainField]) -> String { "expect \(word(literal(fields)))\n" }

    /// A word of a POSIX shell. Within single quotes, every character except the single quote stands for itself.
    private func word(_ text: String) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'\(parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''"))'"
    }
}

extension PlainValue {
    /// Whether all its whole numbers remain the same as 64-bit floating-point numbers.
    fileprivate var isExactInDoubles: Bool {
        switch self {
        case .int(let number): number.magnitude <= 1 << 53
        case .array(let elements): elements.allSatisfy(\.isExactInDoubles)
        case .object(let fields): fields.allSatisfy(\.value.isExactInDoubles)
        case .null, .bool, .double, .string: true
        }
    }
}
