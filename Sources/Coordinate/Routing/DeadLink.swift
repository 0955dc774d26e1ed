/// The reason why a path leads nowhere, and the path that was probably meant.
package struct DeadLink: Equatable, Sendable {
    /// Half a sentence about a value in the path that stands for nothing: `"ferari" is the id of no Team`. `nil` if no
    /// path of the app resembles this one.
    package let reason: String?
    /// The path that was probably meant, with a slash in front; `nil` if none resembles this one.
    package let nearest: String?
}

extension RouteCatalog {
    /// The longest path that is corrected, in characters, and the most values that are corrected in it.
    private static let longestCorrected = 200
    private static let mostCorrections = 8

    /// Explains why a path leads nowhere; `nil` if it leads somewhere.
    ///
    /// - Parameters:
    ///   - link: The path as the client sent it.
    ///   - dependencies: Those of the tree, as its root has them: ids are looked up there.
    package func explain(_ link: String, in dependencies: (any AppDependenciesProtocol)?) -> DeadLink? {
        let path = RoutePath(link)
        if let path, contains(path, in: dependencies) { return nil }
        let read = [path, Self.tidy(link)].lazy.compactMap(\.self)
        let reason = read.compactMap { misfit($0, dependencies) }.first?.description
        return DeadLink(reason: reason, nearest: nearest(to: link, in: dependencies))
    }

    /// The path of a link, with the slash in front that it should have and without slashes that divide nothing, so that
    /// its values are explained whatever its slashes. An empty value leads nowhere any more.
    private static func tidy(_ link: String) -> RoutePath? {
        RoutePath("/\(link)").flatMap { RoutePath($0.components.filter { !$0.isEmpty }, $0.query) }
    }

    private func nearest(to link: String, in dependencies: (any AppDependenciesProtocol)?) -> String? {
        guard link.count <= Self.longestCorrected, let path = Self.tidy(link) else { return nil }
        // The search for what each value was meant to be is slow if there are many ids: only paths with the words of
        // this one are searched.
        let alike = wholePatterns.compactMap { $0.path(like: path) }
            .filter { link.nearest(among: [$0.link]) != nil }
        let candidates = ([path] + alike).compactMap { corrected($0, in: dependencies)?.link }
        return link.nearest(among: candidates)
    }

    /// A path with its unknown values replaced by similar known ones; `nil` if that leads nowhere, either.
    private func corrected(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RoutePath? {
        var path = path
        for _ in 0..<Self.mostCorrections {
            if contains(path, in: dependencies) { return path }
            guard let misfit = misfit(path, dependencies), let text = misfit.text, let nearest = misfit.problem.nearest,
                nearest != text, let better = path.replacing(text, with: nearest)
            else { return nil }
            path = better
        }
        return nil
    }
}

extension RoutePath {
    /// Creates a path of these parts and items; `nil` if it cannot be written.
    init?(_ components: [String], _ query: [Item]) {
        let items = query.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }
        self.init(
            "/" + components.map(Self.encode).joined(separator: "/")
                + (items.isEmpty ? "" : "?" + items.joined(separator: "&")))
    }

    /// The path with each occurrence of a value replaced by another.
    fileprivate func replacing(_ value: String, with other: String) -> RoutePath? {
        RoutePath(
            components.map { $0 == value ? other : $0 },
            query.map { Item($0.name, $0.value == value ? other : $0.value) })
    }
}
