import Coordinate

struct Note {
    let id: Int
    let text: String
}

/// The data of one session.
final class Notebook {
    var notes = [Note(id: 1, text: "Buy milk"), Note(id: 2, text: "Call Anna")]
    var user: String?
    var receipt: String?

    /// Adds a note, and returns its id.
    func add(_ text: String) -> Int {
        notes.append(Note(id: notes.count + 1, text: text))
        return notes.count
    }
}

/// The service outside. It is slow, and it may fail.
protocol Service: Sendable {
    func logIn(_ user: String, password: String) async throws
    /// Takes a payment, and returns the number of its receipt. Two calls with one key are one payment.
    func pay(cents: Int, key: String) async throws -> String
}

struct DemoService: Service {
    func logIn(_ user: String, password: String) async throws {
        guard user == "anna", password == "open sesame" else { throw WorkFailure("is wrong") }
    }

    func pay(cents: Int, key: String) async throws -> String { "1001" }
}

/// What every coordinator and every screen may use.
struct AppDependencies: AppDependenciesProtocol {
    let notebook = Notebook()
    var service: any Service = DemoService()
}
