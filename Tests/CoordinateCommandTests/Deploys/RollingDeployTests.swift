import Foundation
import Testing

/// A release takes the place of another under load, server by server, while servers are killed. Each session is at its
/// place afterwards, or `deploy-check --against` named it before.
///
/// `DEPLOYS` is the number of sessions before each deploy, `DEPLOY_SEED` the first seed, and `DEPLOY_RELEASE` selects one
/// release: `make deploys`.
@Suite(
    .serialized, .enabled(if: ProcessInfo.processInfo.environment["DEPLOYS"] != nil, "It takes minutes: make deploys"),
    .enabled(if: Proxy.isAvailable, Comment(rawValue: Proxy.hint)))
struct RollingDeployTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let sessions = environment["DEPLOYS"].flatMap { Int($0) } ?? 60
    private static let seed = environment["DEPLOY_SEED"].flatMap { UInt64($0) } ?? 1
    private static let releases = DeployedRelease.allCases.filter {
        [nil, $0.rawValue].contains(environment["DEPLOY_RELEASE"])
    }

    @Test(arguments: releases)
    func sessionsThatAreNotNamedContinueAtTheirPlaces(release: DeployedRelease) async throws {
        let deploy = try await RollingDeploy(release, seed: Self.seed)
        do {
            print(try await deploy.run(sessions: Self.sessions))
        } catch {
            deploy.ledger.violation("The run failed: \(error)")
        }
        let violations = deploy.ledger.violations
        #expect(
            violations.isEmpty,
            """
            DEPLOY_SEED=\(Self.seed), \(release): \(violations.count) violations
            \(violations.prefix(10).joined(separator: "\n"))
            The servers' last words:
            \(deploy.fleet.words.suffix(20).joined(separator: "\n"))
            """)
    }
}
