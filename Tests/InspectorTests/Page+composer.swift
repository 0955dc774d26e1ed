import CoordinateTesting
import WebDriver

extension Page {
    /// Sends an event that the palette finds, with its payload filled in.
    func compose(_ event: String, _ payload: [String: String]) async throws {
        try await find(event)
        try await press(.enter)
        for (field, value) in payload { try await fillIn(field, with: value) }
        if !payload.isEmpty { try await click("#composer-send") }
    }

    /// Fills in a field of the composer: types, or chooses from its menu.
    func fillIn(_ field: String, with value: String) async throws {
        let selector = "#composer [data-field='\(field)']"
        try await wait(for: selector)
        if try await evaluate("return document.querySelector(arguments[0]).tagName", .string(selector)) == "SELECT" {
            try await choose(value, in: selector)
        } else {
            try await fill(selector, with: value)
        }
    }
}
