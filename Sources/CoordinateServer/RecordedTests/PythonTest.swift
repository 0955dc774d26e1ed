internal import Coordinate

/// A test for pytest that sends its requests with requests.
struct PythonTest: TestLanguage {
    private let indent = "    "

    func opening(_ test: RecordedTest) -> String {
        """
        # \(test.origin)
        # Needs pytest and requests. Set SERVER for another server, and COORDINATE_API_KEY if it has a key.
        import os

        import pytest
        import requests

        SERVER = os.environ.get("SERVER", \(quoted(test.server))).rstrip("/")


        class Client:
            \"""A session that begins as the recorded one. Its work is withheld: the test posts the outcomes.\"""

            def __init__(self, beginning):
                self.http = requests.Session()
                self.http.headers["Prefer"] = "return=minimal"
                if "COORDINATE_API_KEY" in os.environ:
                    self.http.headers["Authorization"] = "Bearer " + os.environ["COORDINATE_API_KEY"]
                lines = {"Content-Type": "application/x-ndjson"}
                created = self.send("POST", "/sessions?work=withheld", json=beginning, headers=lines)
                self.session = created["links"]["self"]

            def send(self, method, path, **request):
                answer = self.http.request(method, SERVER + path, **request)
                assert answer.ok, answer.text
                return answer.json()

            def route(self):
                return self.send("GET", f"{self.session}/route")

            def open(self, path):
                return self.send("PUT", f"{self.session}/route", json={"path": path})

            def emit(self, event, payload={}, **more):
                return self.send("POST", f"{self.session}/events", json={"event": event, "payload": payload, **more})

            def press(self, title, row=None, event=None, entering={}):
                route = self.route()
                screen, around = route["screen"], route["navigation"]
                places = [(each["id"], [each["action"], each["delete"], *each["actions"]]) for each in screen["rows"]]
                tabs = [tab["action"] for tab in around["tabs"]]
                places.append((None, [*screen["actions"], around["back"], *tabs, around["dismiss"]]))
                offered = [(place, action) for place, actions in places for action in actions if action]
                found = []
                for place, action in offered:
                    if action["title"] != title or row not in (None, place) or event not in (None, action["event"]):
                        continue
                    fields = {each["field"] for each in action.get("inputs", [])}
                    request = {"event": action["event"], "payload": {**action["payload"], **entering}}
                    if entering.keys() <= fields and request not in found:
                        found.append(request)
                titles = [action["title"] for _, action in offered]
                assert len(found) == 1, f"{len(found)} buttons {title!r} at {route['path']}. Offered: {titles}"
                outcome = self.emit(**found[0])
                assert outcome["handled"], f"No coordinator handles {title!r}: {outcome}"
                return outcome


        @pytest.fixture
        def client():

        """
            + code(indent, "client = Client({", members(test.beginning), "})") + """
                    yield client
                    client.http.delete(SERVER + client.session)


                def test_leads_to_\(test.destination.joined(separator: "_").lowercased())(client):
                    assert client.route()["path"] == \(quoted(test.start))

                """
    }

    func step(_ step: RecordedStep) -> String {
        let call: String
        var parts: [String]
        if let press = step.press {
            (call, parts) = ("press", [quoted(press.title)])
            if let row = press.row { parts.append("row=\(quoted(row))") }
            if let event = press.event { parts.append("event=\(quoted(event))") }
            if !press.entries.isEmpty { parts.append("entering=\(literal(press.entries))") }
        } else if let link = step.link {
            (call, parts) = ("open", [quoted(link)])
        } else {
            (call, parts) = ("emit", [quoted(step.event)])
            parts += step.request.dropFirst().map { "\($0.name)=\(literal($0.value))" }
        }
        let handler = step.handledBy.map { "== \(quoted($0))" } ?? "is None"
        return notes(step, "\(indent)#") + code(indent, "outcome = client.\(call)(", parts, ")")
            + (step.press == nil ? "\(indent)assert outcome[\"handledBy\"] \(handler)\n" : "")
            + "\(indent)assert outcome[\"path\"] == \(quoted(step.path))\n"
    }

    // MARK: Values

    var null: String { "None" }
    var booleans: [String] { ["False", "True"] }
}
