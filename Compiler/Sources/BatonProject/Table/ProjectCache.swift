import BatonCompiler
import Foundation

/// The folder in which tables are kept between processes, one file for each configuration.
///
/// A table that cannot be read or written is as none: a run then does everything, and says nothing about it.
package struct ProjectCache: Hashable, Sendable {
    package let folder: AbsolutePath

    package init(folder: AbsolutePath) {
        self.folder = folder
    }

    /// The system's folder for caches, or what `BATON_CACHE` names; nil if there is none, or if it says `off`.
    package static func standard(environment: [String: String]) -> ProjectCache? {
        if let named = environment["BATON_CACHE"], !named.isEmpty {
            return named == "off"
                ? nil : named.hasPrefix("/") ? ProjectCache(folder: AbsolutePath(absolute: named)) : nil
        }
        if let named = environment["XDG_CACHE_HOME"], named.hasPrefix("/") {
            return ProjectCache(folder: AbsolutePath(absolute: named).appending("baton"))
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        #if canImport(Darwin)
            let caches = AbsolutePath(absolute: home + "/Library/Caches")
        #else
            let caches = AbsolutePath(absolute: home + "/.cache")
        #endif
        return ProjectCache(folder: caches.appending("baton"))
    }

    private func path(of configuration: AbsolutePath) -> AbsolutePath {
        let hash = String(ContentHash.of(InputFile.identity(of: configuration).description), radix: 16)
        return folder.appending(String(repeating: "0", count: 16 - hash.utf8.count) + hash + ".table")
    }

    /// The largest size of a table in bytes. One of a project with 5,000 documents has 2 MB.
    private static let sizeLimit = 256 << 20

    /// Whatever stands in the place of a table is looked at before it is read: its size, and how it begins.
    func load(for configuration: AbsolutePath) -> ProjectTable? {
        let path = path(of: configuration)
        let bytes = try? InputFile.read(path, beginningWith: ProjectTable.mark, atMost: Self.sizeLimit)
        return bytes.flatMap { $0 }.flatMap(ProjectTable.init(bytes:))
    }

    func save(_ table: ProjectTable, for configuration: AbsolutePath) {
        let bytes = table.bytes
        if bytes.count > Self.sizeLimit { return }
        try? FileManager.default.createDirectory(atPath: folder.description, withIntermediateDirectories: true)
        try? OutputFile.write(bytes, to: path(of: configuration))
    }
}
