/// The requests that a requester may send. Each endpoint needs one of these rights; those of probes, files and logins need
/// none.
package struct Rights: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// To begin a session.
    package static let begin = Rights(rawValue: 1)
    /// To read what a session shows now: its route, its stream, its pages. Also to read the app's catalog.
    package static let read = Rights(rawValue: 2)
    /// To change a session: with events, links and forms, and to end it.
    package static let use = Rights(rawValue: 4)
    /// To see a session's past, to fork, import, export and name sessions, and to watch the server.
    package static let develop = Rights(rawValue: 8)
    /// To find the sessions of others, to hand out tokens, and to speak for other systems.
    package static let operate = Rights(rawValue: 16)
}

/// The clients that a server lets in without its API key and without a token: ``ServerConfiguration/clients``.
public enum ClientAccess: String, CaseIterable, Sendable {
    /// A client may do everything with a session whose id it knows, except what only the operator may. For development.
    case full
    /// A client may begin sessions, and use what their screens offer. For servers that people's devices talk to. It
    /// needs an API key, for the operator.
    case app
    /// No client is let in.
    case none

    /// Whether anybody may begin a session.
    var mayBegin: Bool { self != .none }
}

/// Who sent a request, as far as access is concerned.
package enum Requester: Sendable {
    /// The holder of the API key; without a key, anybody on this machine.
    case `operator`
    /// Anybody else.
    case client(ClientAccess)
    /// The holder of a token for one session.
    case token(SessionToken)

    /// The table of who may do what. `Access.md` explains it.
    var rights: Rights {
        switch self {
        case .operator: [.begin, .read, .use, .develop, .operate]
        case .client(.full): [.begin, .read, .use, .develop]
        case .client(.app): [.begin, .read, .use]
        case .client(.none): []
        case .token(let token): token.scope == .read ? [.read] : [.read, .use]
        }
    }

    package func may(_ right: Rights) -> Bool { rights.contains(right) }

    /// Whether it is the operator, to whom keys, attributes and references are shown.
    var isOperator: Bool { may(.operate) }

    /// Whether it may send only the events that the screen offers, and sees nothing of the past.
    package var isBoundToScreen: Bool { !may(.develop) }
}
