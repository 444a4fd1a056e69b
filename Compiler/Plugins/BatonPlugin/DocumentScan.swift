import Foundation

/// The files of a configuration, found without the compiler. It may find too many or too few sources: the tool writes
/// every output that was declared, and has a place for what it finds besides.
struct DocumentScan {
    /// The folder of the configuration.
    let folder: URL
    /// The files that the tool may read, sorted.
    private(set) var inputs: [URL] = []
    /// The files that may have documents, sorted.
    private(set) var sources: [URL] = []

    private static let graphQL: Set<String> = ["graphql", "graphqls", "gql"]
    private static let call = Data("graphql(".utf8)

    init(_ configuration: URL) {
        folder = configuration.deletingLastPathComponent()
        let keys = ConfigurationKeys(configuration)
        let output = folder.appending(path: keys.output).standardizedFileURL
        let crossesLinks = (keys.schemas + keys.documents).contains(where: Self.mayCrossLinks)
        var found: [String: URL] = [:]
        func add(_ files: [URL]) {
            for file in files { found[file.standardizedFileURL.path(percentEncoded: false)] = file.standardizedFileURL }
        }
        add(Self.files(below: folder, without: output, crossesLinks, Self.graphQL.union(["swift"])))
        var schema: Set<String> = []
        for (entry, isSchema) in keys.schemas.map({ ($0, true) }) + keys.documents.map({ ($0, false) }) {
            let start = Self.literalStart(of: entry, in: folder)
            var isFolder: ObjCBool = false
            let path = start.path(percentEncoded: false)
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
            if !isFolder.boolValue {
                add([start])
                if isSchema { schema.insert(path) }
            } else if start != folder.standardizedFileURL {
                let extensions = Self.graphQL.union([isSchema ? "json" : "swift"])
                add(Self.files(below: start, without: output, crossesLinks, extensions))
            }
        }
        let sorted = found.sorted { $0.key < $1.key }
        // The tool refuses generated files beside those that the build makes, so that it has to run if there are any.
        inputs = sorted.map(\.value) + Self.generated(in: output)
        sources = sorted.filter { path, file in
            switch file.pathExtension {
            case "swift": (try? Data(contentsOf: file, options: .mappedIfSafe))?.range(of: Self.call) != nil
            case "graphql", "gql": !schema.contains(path)
            default: false
            }
        }
        .map(\.value)
    }

    /// The file or folder of an entry, up to the first component with a special character.
    private static func literalStart(of entry: String, in folder: URL) -> URL {
        var start = entry.hasPrefix("/") ? URL(filePath: "/") : folder
        for component in entry.split(separator: "/") {
            if component.contains(where: { "*?{[".contains($0) }) { break }
            start = start.appending(path: String(component))
        }
        let path = start.standardizedFileURL.path(percentEncoded: false)
        return URL(filePath: path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }

    /// Whether a pattern has a folder with a special character that may be a link. `**` crosses none.
    private static func mayCrossLinks(_ entry: String) -> Bool {
        entry.split(separator: "/").dropLast().contains { $0 != "**" && $0.contains(where: { "*?{[".contains($0) }) }
    }

    /// The files with one of the extensions, but for those in hidden folders, in a folder with a configuration of its
    /// own, and in one that is left out.
    private static func files(
        below folder: URL, without left: URL, _ crossesLinks: Bool, _ extensions: Set<String>
    ) -> [URL] {
        var files: [URL] = []
        var pending = [folder]
        // Links may lead to a folder again and again.
        var entered: Set<URL> = []
        while let current = pending.popLast() {
            if crossesLinks, !entered.insert(current.resolvingSymlinksInPath()).inserted { continue }
            let entries = entries(of: current)
            if current != folder, entries.contains(where: { $0.lastPathComponent == "baton.json" }) { continue }
            for entry in entries {
                let values = try? entry.resourceValues(forKeys: [.isDirectoryKey])
                var isFolder = values?.isDirectory == true
                if !isFolder, crossesLinks, !extensions.contains(entry.pathExtension) {
                    var leadsToFolder: ObjCBool = false
                    let path = entry.path(percentEncoded: false)
                    isFolder =
                        FileManager.default.fileExists(atPath: path, isDirectory: &leadsToFolder)
                        && leadsToFolder.boolValue
                }
                if !isFolder {
                    if extensions.contains(entry.pathExtension) { files.append(entry) }
                } else if entry.standardizedFileURL.path(percentEncoded: false).trimmed
                    != left.path(percentEncoded: false).trimmed
                {
                    pending.append(entry)
                }
            }
        }
        return files
    }

    /// The entries of a folder without the hidden ones. The folder may be a link, which `FileManager` follows only if
    /// it is asked for a path.
    private static func entries(of folder: URL) -> [URL] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        return (names ?? []).filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }
    }

    /// The generated files of a folder.
    private static func generated(in folder: URL) -> [URL] {
        entries(of: folder).filter { $0.lastPathComponent.hasSuffix(".graphql.swift") }
            .sorted { $0.path(percentEncoded: false) < $1.path(percentEncoded: false) }
    }
}

extension String {
    /// The path without a slash at its end.
    fileprivate var trimmed: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
