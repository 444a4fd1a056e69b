import Foundation

/// Finds the files that paths and patterns name, in an order that depends on their names alone.
///
/// A path names a file, a folder (with everything below it) or a `Glob`. Folders and patterns give only regular files
/// with one of `extensions`. A path that names a file gives this file whatever its extension. Unreadable folders are
/// skipped.
package struct FileFinder {
    /// The folder at which relative paths start.
    package let base: AbsolutePath
    /// Nil stands for every extension.
    package let extensions: Set<String>?
    /// Whether a file or folder is left out.
    package let isExcluded: (AbsolutePath) -> Bool
    /// Whether a folder below another one is left out besides.
    let isForeign: (AbsolutePath) -> Bool
    /// Is called for each folder that is searched, also for one that does not exist.
    let searched: (AbsolutePath) -> Void
    /// What the search has seen of links.
    let identities: FileIdentities

    package init(
        base: AbsolutePath,
        extensions: Set<String>?,
        isExcluded: @escaping (AbsolutePath) -> Bool = { _ in false },
        isForeign: @escaping (AbsolutePath) -> Bool = { _ in false }
    ) {
        self.init(
            base: base, extensions: extensions, identities: FileIdentities(), isExcluded: isExcluded,
            isForeign: isForeign, searched: { _ in })
    }

    init(
        base: AbsolutePath,
        extensions: Set<String>?,
        identities: FileIdentities,
        isExcluded: @escaping (AbsolutePath) -> Bool = { _ in false },
        isForeign: @escaping (AbsolutePath) -> Bool = { _ in false },
        searched: @escaping (AbsolutePath) -> Void
    ) {
        self.searched = searched
        self.base = base
        self.extensions = extensions
        self.identities = identities
        self.isExcluded = isExcluded
        self.isForeign = isForeign
    }

    /// A search in the same folders for other extensions, which tells what another search has not found. It is not
    /// part of what a run looks at.
    func searching(for extensions: Set<String>?, leavesOut: Bool = true) -> FileFinder {
        FileFinder(
            base: base, extensions: extensions, isExcluded: leavesOut ? isExcluded : { _ in false },
            isForeign: isForeign)
    }

    /// The result of a search.
    package enum Finding: Hashable {
        /// The files, sorted; empty if a folder or pattern has no files.
        case files([AbsolutePath])
        case notFound
        case invalid(Glob.Mistake)
    }

    /// Searches the disk; nothing is cached.
    package func find(_ pattern: String) -> Finding {
        do throws(Glob.Mistake) {
            let glob = try Glob(pattern)
            guard Glob.isPattern(pattern) else { return findPath(AbsolutePath(pattern, relativeTo: base)) }
            var found: Set<AbsolutePath> = []
            for segments in glob.alternatives {
                // Leading components without special characters need no directory listing.
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
        if FileKind(at: path) != .folder { searched(path.parent) }
        return switch FileKind(at: path) {
        case .folder: .files(walk(path, segments: [.anyDepth, .wildcard(["*"])]).sorted())
        case .file, .other: .files(named(path))
        case nil: .notFound
        }
    }

    private func named(_ path: AbsolutePath) -> [AbsolutePath] {
        identities.noteLink(path)
        return isExcluded(path) ? [] : [path]
    }

    private func walk(_ start: AbsolutePath, segments: [Glob.Segment]) -> [AbsolutePath] {
        var found: [AbsolutePath] = []
        var pending = [(folder: start, states: Glob.closure([0], in: segments))]
        while let (folder, states) = pending.popLast() {
            searched(folder)
            identities.enter(folder)
            for (name, told) in FolderEntries.entries(of: folder) ?? [] {
                let component = Substring(name)
                if Glob.advance(states, over: component, in: segments).isEmpty { continue }
                let path = folder.appending(name)
                let isLink = told == .link || told == .unknown && FileKind.isLink(path)
                let kind =
                    switch told {
                    case .file: FileKind.file
                    case .folder: FileKind.folder
                    case .link, .unknown: FileKind(at: path)
                    }
                if kind == .folder {
                    let next = Glob.advance(states, over: component, in: segments, isLink: isLink)
                    if next.contains(where: { $0 < segments.count }), !isExcluded(path), !isForeign(path) {
                        pending.append((path, next))
                    }
                } else if kind == .file || kind == nil && Self.isMangled(name) && !isLink {
                    let next = Glob.advance(states, over: component, in: segments)
                    let isKnown = extensions?.contains(Self.fileExtension(of: name)) ?? true
                    guard next.contains(segments.count), isKnown else { continue }
                    if isLink { identities.noteLink(path) }
                    if !isExcluded(path) { found.append(path) }
                }
            }
        }
        return found
    }

    /// Whether a file may be found by any search of a project.
    package static func mayBeInput(_ name: String) -> Bool {
        ["graphql", "graphqls", "gql", "json", "swift"].contains(fileExtension(of: name)) || isMangled(name)
    }

    /// Whether a name contains the replacement for bytes that are not UTF-8. No file can be opened under such a name.
    /// The reader of the file reports that, so that the file is not left out without a message.
    static func isMangled(_ name: String) -> Bool { name.unicodeScalars.contains("\u{FFFD}") }

    /// The text after the last dot, in lower case.
    static func fileExtension(of name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }
}
