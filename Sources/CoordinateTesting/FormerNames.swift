@_exported public import CoordinateClient

@available(*, deprecated, renamed: "SessionClient")
public typealias TestClient = SessionClient

@available(*, deprecated, renamed: "ServerAnswer")
public typealias TestAnswer = ServerAnswer
