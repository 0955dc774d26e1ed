// The flow with the client that OpenAPI Generator writes (`swift6`).
import Foundation
import OpenAPIClient

func flow(url: String) async throws {
    let server = OpenAPIClientAPIConfiguration(basePath: url)

    // Open a session at a screen, and press its first button. An action is an event as it is.
    let options: [String: JSONValue] = ["liveResults": .bool(true)]
    let id = try await SessionsAPI.postSession(
        newSession: NewSession(path: "/main/profile", options: options), apiConfiguration: server
    ).id
    func send(_ action: Action, _ payload: [String: JSONValue]? = nil) async throws -> Outcome {
        let event = Event(event: action.event, payload: payload ?? action.payload)
        return try await NavigationAPI.postSessionEvent(id: id, event: event, apiConfiguration: server)
    }
    let button = try await NavigationAPI.getSessionRoute(id: id, apiConfiguration: server).screen.actions[0]
    let pressed = try await send(button)
    print("pressed:", button.title, pressed.path)

    // A form is an action with inputs. What the user types replaces the values in its payload.
    guard let form = pressed.route?.screen.actions.first(where: { $0.inputs != nil }) else { return }
    do {
        _ = try await send(form, ["name": .string("")])
    } catch ErrorResponse.error(let status, let body?, _, _) {
        print("refused:", status, try JSONDecoder().decode(InvalidPayload.self, from: body).pointer)
    }
    let renamed = try await send(form, ["name": .string("Ada")])
    print("renamed:", renamed.route?.screen.title ?? "")

    // Follow a link that starts work, and wait until nothing is pending.
    let link = Link(path: "/main/drivers/driver/leclerc")
    _ = try await NavigationAPI.putSessionRoute(id: id, link: link, apiConfiguration: server)
    let settled = try await NavigationAPI.getSessionRoute(
        id: id, until: .settled, prefer: "wait=30", apiConfiguration: server)
    print("settled:", settled.path, settled.screen.status.rawValue, settled.pending.count)

    // Fork the session as it was at version 3, and export the journal.
    let fork = try await SessionsAPI.postFork(id: id, fork: Fork(version: 3), apiConfiguration: server)
    print("forked:", fork.path, fork.parent?.version ?? 0)
    let page = NavigationAPI.getSessionEventsWithRequestBuilder(id: id, apiConfiguration: server)
    let journal = try await URLSessionDecodableRequestBuilder<String>(
        method: page.method, URLString: page.URLString, parameters: nil, headers: ["Accept": "application/x-ndjson"],
        requiresAuthentication: false, apiConfiguration: server
    ).execute().body
    let lines = journal.split(separator: "\n")
    let header = try JSONDecoder().decode([String: JSONValue].self, from: Data(lines[0].utf8))
    print("exported:", header["app"]?.stringValue ?? "", lines.count - 1)
}
