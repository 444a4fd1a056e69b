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

    func load(for configuration: AbsolutePath) -> ProjectTable? {
        (try? InputFile.read(path(of: configuration))).flatMap(ProjectTable.init(bytes:))
    }

    func save(_ table: ProjectTable, for configuration: AbsolutePath) {
        try? FileManager.default.createDirectory(atPath: folder.description, withIntermediateDirectories: true)
        try? OutputFile.write(table.bytes, to: path(of: configuration))
    }
}
