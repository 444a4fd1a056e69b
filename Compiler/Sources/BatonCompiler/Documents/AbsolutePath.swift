/// A path from the root of the file system, without `.`, `..` and doubled slashes.
///
/// It is calculated from text alone: symbolic links are not followed.
package struct AbsolutePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Begins with a slash and ends without one, save for the root.
    package let description: String

    /// Reads a path; one that does not begin with a slash counts from `base`.
    package init(_ path: String, relativeTo base: AbsolutePath) {
        self.init(absolute: path.hasPrefix("/") ? path : base.description + "/" + path)
    }

    /// Reads a path that counts from the root.
    package init(absolute path: String) {
        var components: [Substring] = []
        for component in path.split(separator: "/") where component != "." {
            if component == ".." {
                _ = components.popLast()
            } else {
                components.append(component)
            }
        }
        description = "/" + components.joined(separator: "/")
    }

    /// The last component; empty for the root.
    package var name: String {
        description.lastIndex(of: "/").map { String(description[description.index(after: $0)...]) } ?? ""
    }

    /// The folder that this is in; the root's is the root.
    package var parent: AbsolutePath {
        AbsolutePath(absolute: description.lastIndex(of: "/").map { String(description[..<$0]) } ?? "/")
    }

    /// A path below this one; a component that begins with a slash stands by itself.
    package func appending(_ component: String) -> AbsolutePath {
        AbsolutePath(component, relativeTo: self)
    }

    package var components: [Substring] { description.split(separator: "/") }

    /// Whether this is the folder itself or something in it.
    package func isInside(_ folder: AbsolutePath) -> Bool {
        if description == folder.description || folder.description == "/" { return true }
        return description.hasPrefix(folder.description + "/")
    }

    /// The path as one would write it in a folder: with `..` as needed, or from the root if they have nothing in
    /// common.
    package func relative(to folder: AbsolutePath) -> String {
        let own = components
        let other = folder.components
        var common = 0
        while common < own.count, common < other.count, own[common] == other[common] { common += 1 }
        if common == 0, !other.isEmpty { return description }
        let parts = Array(repeating: "..", count: other.count - common) + own[common...].map(String.init)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// The path as messages show it: relative below the working directory, from the root elsewhere.
    package func displayed(in workingDirectory: AbsolutePath) -> String {
        isInside(workingDirectory) ? relative(to: workingDirectory) : description
    }

    package static func < (left: AbsolutePath, right: AbsolutePath) -> Bool {
        left.description < right.description
    }
}
