internal import CoordinateSessions
internal import MicroHTTPD

/// A request that waits for a version that its client does not know.
final class ParkedRead: SessionFollower {
    private let answer: HTTPParkedAnswer
    private let known: VersionCondition.Versions

    init(_ answer: HTTPParkedAnswer, knowing known: VersionCondition.Versions) {
        self.answer = answer
        self.known = known
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        guard !known.contains(version) else { return true }
        answer.answer(with: route.published.asCurrent.response)
        return false
    }

    // Let go of, it is answered by what stands in.
    func didEnd() {}
    func wasLetGo() {}
}
