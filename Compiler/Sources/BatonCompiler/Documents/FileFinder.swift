import Foundation

/// Finds the files that paths and patterns name, in an order that depends on names alone.
///
/// A path is a file, a folder (with everything below it) or a `Glob`. Folders and patterns give regular files with one
/// of
/// `extensions` only, a path that names a file gives it whatever its name. What is unreadable on the way is passed
/// over.
package struct FileFinder {
    /// Where relative paths count from.
    package let base: AbsolutePath
    package let extensions: Set<String>
    /// What is not entered and not given.
    package let isExcluded: (AbsolutePath) -> Bool

    package init(
        base: AbsolutePath,
        extensions: Set<String>,
        isExcluded: @escaping (AbsolutePath) -> Bool = { _ in false }
    ) {
        self.base = base
        self.extensions = extensions
        self.isExcluded = isExcluded
    }

    /// What a path or pattern led to.
    package enum Finding: Hashable {
        /// Sorted; empty for a folder or pattern without files.
        case files([AbsolutePath])
        case notFound
        case invalid(Glob.Mistake)
    }

    /// Searches the disk anew with every call; the order of what is found depends on names alone.
    package func find(_ pattern: String) -> Finding {
        do throws(Glob.Mistake) {
            let glob = try Glob(pattern)
            guard Glob.isPattern(pattern) else { return findPath(AbsolutePath(pattern, relativeTo: base)) }
            var found: Set<AbsolutePath> = []
            for segments in glob.alternatives {
                // Leading components without special characters need no search.
                var start = glob.isAbsolute ? AbsolutePath(absolute: "/") : base
                var rest = segments[...]
                while rest.count > 1, case .literal(let name)? = rest.first {
                    start = start.appending(name)
                    rest = rest.dropFirst()
                }
                found.formUnion(walk(start, segments: Array(rest)))
            }
            return .files(found.sorted())
        } catch {
            return .invalid(error)
        }
    }

    private func findPath(_ path: AbsolutePath) -> Finding {
        switch FileKind(at: path) {
        case .folder: .files(walk(path, segments: [.anyDepth, .wildcard(["*"])]).sorted())
        case .file, .other: .files(isExcluded(path) ? [] : [path])
        case nil: .notFound
        }
    }

    private func walk(_ start: AbsolutePath, segments: [Glob.Segment]) -> [AbsolutePath] {
        var found: [AbsolutePath] = []
        var pending = [(folder: start, states: Glob.closure([0], in: segments))]
        while let (folder, states) = pending.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.description) else { continue }
            for name in names {
                let component = Substring(name)
                if Glob.advance(states, over: component, in: segments).isEmpty { continue }
                let path = folder.appending(name)
                let isLink = FileKind.isLink(path)
                let kind = FileKind(at: path)
                if kind == .folder {
                    let next = Glob.advance(states, over: component, in: segments, isLink: isLink)
                    if next.contains(where: { $0 < segments.count }), !isExcluded(path) { pending.append((path, next)) }
                } else if kind == .file || kind == nil && Self.isMangled(name) && !isLink {
                    let next = Glob.advance(states, over: component, in: segments)
                    let isKnown = extensions.contains(Self.fileExtension(of: name))
                    if next.contains(segments.count), isKnown, !isExcluded(path) { found.append(path) }
                }
            }
        }
        return found
    }

    /// Whether a name holds what stands for bytes that are no UTF-8; under such a name nothing is found, and who reads
    /// it says so, rather than that a file is passed over in silence.
    static func isMangled(_ name: String) -> Bool { name.unicodeScalars.contains("\u{FFFD}") }

    /// What stands behind the last dot, in lower case.
    static func fileExtension(of name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }
}
