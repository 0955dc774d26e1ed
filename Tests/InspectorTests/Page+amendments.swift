import CoordinateTesting

@testable import WebDriver

extension Page {
    /// Makes the server's documents say more than they do, from the next page that is opened on.
    ///
    /// ```swift
    /// try await page.amend([
    ///     "routes": ["1": ["screen": ["status": "loading"]]], "entries": ["2": ["origin": "host"]],
    ///     "events": ["teams.didSelect": ["origin": "app"]], "catalog": ["options": []],
    /// ])
    /// ```
    ///
    /// Routes and journal entries are found by their version, events of the catalog by their name. Options to start a
    /// session with are not sent, but kept in `window.startedWith`.
    func amend(_ amendments: JSON) async throws {
        let script = Self.amending.replacing("AMENDMENTS", with: String(decoding: amendments.encoded, as: UTF8.self))
        try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    private static let amending = """
        (() => {
          const amendments = AMENDMENTS;
          const merge = (document, more) => {
            for (const [name, value] of Object.entries(more ?? {})) {
              const areObjects = [value, document[name]].every((each) => each?.constructor === Object);
              if (areObjects) merge(document[name], value);
              else document[name] = value;
            }
          };
          const amended = (document) => {
            if (document.tree) merge(document, amendments.routes?.[document.version]);
            else if (document.route) amended(document.route);
            else if (document.paths) {
              merge(document, amendments.catalog);
              for (const event of document.events) merge(event, amendments.events?.[event.name]);
            } else if (document.events) {
              for (const entry of document.events) merge(entry, amendments.entries?.[entry.version]);
            }
            return document;
          };
          const whole = fetch;
          window.startedWith = [];
          window.fetch = async (path, request) => {
            const options = path === "/sessions" && request.body ? JSON.parse(request.body).options : null;
            if (options) startedWith.push(options);
            const answer = await whole(path, options ? { ...request, headers: {}, body: undefined } : request);
            const text = await answer.text();
            const { status, statusText, headers } = answer;
            const body = text.startsWith("{") ? JSON.stringify(amended(JSON.parse(text))) : text || null;
            return new Response(body, { status, statusText, headers });
          };
          window.EventSource = class extends EventSource {
            addEventListener(name, listener) {
              super.addEventListener(name, (event) => listener(
                event.data === undefined ? event : { data: JSON.stringify(amended(JSON.parse(event.data))) }));
            }
          };
        })();
        """
}
