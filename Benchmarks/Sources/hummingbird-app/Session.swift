import Hummingbird

/// A client's state in the app.
struct Session {
    /// What the client sees.
    enum Place {
        case splash
        case teams
        case team(String)
    }

    let id: String
    /// The number of applied events.
    private(set) var version = 0
    private(set) var place = Place.splash
    private(set) var favoriteTeams: Set<String> = []

    init(id: String) { self.id = id }

    /// Applies an event. Throws an error for the client if the event does not fit.
    mutating func apply(_ event: Event, in season: Season) throws {
        switch event.event {
        case "splash.didFinish": place = .teams
        case "teams.didSelect": place = .team(try event.team(in: season))
        case "teams.setFavorite": favoriteTeams.insert(try event.team(in: season))
        case "teams.unsetFavorite": favoriteTeams.remove(try event.team(in: season))
        default: throw HTTPError(.unprocessableContent, message: "There is no event \(event.event).")
        }
        version += 1
    }
}

/// An event as clients send it.
struct Event: Codable {
    let event: String
    var payload: [String: String]?

    fileprivate func team(in season: Season) throws -> String {
        guard let id = payload?["team"], season.team(id) != nil else {
            throw HTTPError(.unprocessableContent, message: "The payload has no team.")
        }
        return id
    }
}
