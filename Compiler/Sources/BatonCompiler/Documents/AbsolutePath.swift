/// A path from the root of the file system, without `.`, `..` and double slashes.
///
/// The path is computed from text alone: symbolic links are not followed.
package struct AbsolutePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The text of the path. It begins with a slash, and does not end with one unless it is the root.
    package let description: String

    /// Makes a path. A relative path starts at `base`.
    package init(_ path: String, relativeTo base: AbsolutePath) {
        self.init(absolute: path.hasPrefix("/") ? path : base.description + "/" + path)
    }

    /// Makes a path that starts at the root of the file system.
    package init(absolute path: String) {
        if Self.isNormal(path) {
            description = path
            return
        }
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

    /// Whether a path has its normal form. False may be said of a path that has it, if a component begins with a dot.
    private static func isNormal(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { bytes in
            guard bytes.count > 1, bytes[0] == slash, bytes[bytes.count - 1] != slash else { return false }
            return bytes.indices.dropLast().allSatisfy { index in
                bytes[index] != slash || bytes[index + 1] != slash && bytes[index + 1] != UInt8(ascii: ".")
            }
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// The last component; empty for the root.
    package var name: String {
        description.lastIndex(of: "/").map { String(description[description.index(after: $0)...]) } ?? ""
    }

    /// The folder that contains this path; the root for the root.
    package var parent: AbsolutePath {
        guard let end = description.utf8.lastIndex(of: UInt8(ascii: "/")), end > description.startIndex else {
            return AbsolutePath(normal: "/")
        }
        return AbsolutePath(normal: String(description[..<end]))
    }

    /// Takes a path that is known to be in its normal form.
    private init(normal description: String) {
        self.description = description
    }

    /// The path of a component below this path. A component that begins with a slash is an absolute path.
    package func appending(_ component: String) -> AbsolutePath {
        let isPlain = !component.isEmpty && component != "." && component != ".." && !component.utf8.contains(0x2F)
        if isPlain, description.utf8.count > 1 { return AbsolutePath(normal: description + "/" + component) }
        return AbsolutePath(component, relativeTo: self)
    }

    package var components: [Substring] { description.split(separator: "/") }

    /// Whether this path is the folder, or a path in it.
    package func isInside(_ folder: AbsolutePath) -> Bool {
        let (own, other) = (description.utf8, folder.description.utf8)
        if other.count == 1 || own.count == other.count { return other.count == 1 || self == folder }
        guard own.count > other.count else { return false }
        // The byte tells almost all paths apart, and no text is made.
        return own[own.index(own.startIndex, offsetBy: other.count)] == UInt8(ascii: "/")
            && own.starts(with: other)
    }

    /// The path relative to a folder, with `..` as needed. The absolute path if the two share no folder except the
    /// root.
    package func relative(to folder: AbsolutePath) -> String {
        let (path, start) = (description.utf8, folder.description.utf8.count)
        if start > 1, path.count > start, isInside(folder) {
            return String(description[path.index(path.startIndex, offsetBy: start + 1)...])
        }
        let own = components
        let other = folder.components
        var common = 0
        while common < own.count, common < other.count, own[common] == other[common] { common += 1 }
        if common == 0, !other.isEmpty { return description }
        let parts = Array(repeating: "..", count: other.count - common) + own[common...].map(String.init)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// The text of the path in messages: relative for paths in the working directory, and absolute for others.
    package func displayed(in workingDirectory: AbsolutePath) -> String {
        isInside(workingDirectory) ? relative(to: workingDirectory) : description
    }

    package static func < (left: AbsolutePath, right: AbsolutePath) -> Bool {
        left.description < right.description
    }
}
