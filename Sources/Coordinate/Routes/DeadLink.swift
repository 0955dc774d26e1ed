/// The reason why a path leads nowhere, and a similar path.
package struct DeadLink: Equatable, Sendable {
    /// A clause about an unknown value in the path: `"ferari" is not the id of any Team`. `nil` if no path of the app
    /// resembles this one.
    package let reason: String?
    /// The most similar path of the app, with a slash in front; `nil` if none is similar.
    package let nearest: String?
}

extension RouteCatalog {
    /// The length of the longest path that is corrected, in bytes.
    private static let longestCorrected = 200
    /// The maximum number of values that are corrected in a path.
    private static let mostCorrections = 8

    /// Explains why a path leads nowhere; returns `nil` if it leads somewhere.
    ///
    /// - Parameters:
    ///   - link: The path as the client sent it.
    ///   - dependencies: The dependencies of the tree's root, which look up ids.
    package func explain(_ link: String, in dependencies: (any AppDependenciesProtocol)?) -> DeadLink? {
        let path = RoutePath(link)
        if let path, contains(path, in: dependencies) { return nil }
        let unknown =
            path.flatMap { misfit(in: $0, dependencies) } ?? Self.tidy(link).flatMap { misfit(in: $0, dependencies) }
        return DeadLink(reason: unknown?.description, nearest: nearest(to: link, in: dependencies))
    }

    private func misfit(in path: RoutePath, _ dependencies: (any AppDependenciesProtocol)?) -> RouteMisfit? {
        root?.misfit(in: UnreadPath(path), dependencies)
    }

    /// Returns the path of a link with a slash in front and without empty parts, so that its values can be explained
    /// even if its slashes are wrong.
    private static func tidy(_ link: String) -> RoutePath? {
        RoutePath("/\(link)").flatMap { RoutePath($0.components.filter { !$0.isEmpty }, $0.query) }
    }

    private func nearest(to link: String, in dependencies: (any AppDependenciesProtocol)?) -> String? {
        guard link.utf8.count <= Self.longestCorrected, let path = Self.tidy(link) else { return nil }
        // Searching for similar values is slow if there are many ids, so only paths with similar words are searched.
        let alike = wholePatterns.compactMap { $0.path(like: path) }
            .filter { $0 != path && link.nearest(among: [$0.link]) != nil }
        let candidates = ([path] + alike).compactMap { corrected($0, in: dependencies)?.link }
        return link.nearest(among: candidates)
    }

    /// Returns a path with its unknown values replaced by similar known ones; `nil` if the result leads nowhere.
    private func corrected(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RoutePath? {
        var path = path
        for _ in 0..<Self.mostCorrections {
            if contains(path, in: dependencies) { return path }
            guard let misfit = misfit(in: path, dependencies), let text = misfit.text,
                let nearest = misfit.problem.nearest,
                nearest != text, let better = path.replacing(text, with: nearest)
            else { return nil }
            path = better
        }
        return nil
    }
}

extension RoutePath {
    /// Creates a path from parts and items; `nil` if it is not valid.
    init?(_ components: [String], _ query: [Item]) {
        let items = query.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }
        self.init(
            "/" + components.map(Self.encode).joined(separator: "/")
                + (items.isEmpty ? "" : "?" + items.joined(separator: "&")))
    }

    /// Returns the path with each occurrence of a value replaced by another.
    fileprivate func replacing(_ value: String, with other: String) -> RoutePath? {
        RoutePath(
            components.map { $0 == value ? other : $0 },
            query.map { Item($0.name, $0.value == value ? other : $0.value) })
    }
}
