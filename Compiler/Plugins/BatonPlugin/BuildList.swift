import Foundation

/// The list that the tool gets: a file for each source with documents, and one for what they share.
struct BuildList {
    private let shared: URL
    private let sources: [(source: URL, output: URL)]

    init(_ scan: DocumentScan, outputs folder: URL) {
        shared = folder.appending(path: "Shared.graphql.swift")
        let start = scan.folder.path(percentEncoded: false)
        var names: Set = ["shared"]
        sources = scan.sources.map { source in
            // A module has no two files of one name, nor has a folder of some disks two that differ only in case.
            let path = source.path(percentEncoded: false)
            let place = path.hasPrefix(start) ? String(path.dropFirst(start.count)) : source.lastPathComponent
            let plain = place.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.drop { $0 == "_" }
            var name = String(plain.suffix(Self.longestName))
            while !names.insert(name.lowercased()).inserted { name += "_" }
            return (source, folder.appending(path: name + ".graphql.swift"))
        }
    }

    /// So many characters of a path are in the name of its output.
    private static let longestName = 160

    var outputs: [URL] { sources.map(\.output) + [shared] }

    /// Writes the list, unless it is there already: the tool runs when the file changes.
    func write(to file: URL) throws {
        func path(_ url: URL) -> String { url.path(percentEncoded: false) }
        let files = Dictionary(
            sources.map { (path($0.source), path($0.output)) }, uniquingKeysWith: { first, _ in first })
        let data = try JSONSerialization.data(
            withJSONObject: ["shared": path(shared), "sources": files], options: [.sortedKeys, .withoutEscapingSlashes])
        if (try? Data(contentsOf: file)) == data { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
    }
}
