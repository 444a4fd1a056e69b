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
        var found: [String: URL] = [:]
        func add(_ files: [URL]) {
            for file in files { found[file.standardizedFileURL.path(percentEncoded: false)] = file.standardizedFileURL }
        }
        add(Self.files(below: folder, without: output, Self.graphQL.union(["swift"])))
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
                add(Self.files(below: start, without: output, Self.graphQL.union([isSchema ? "json" : "swift"])))
            }
        }
        let sorted = found.sorted { $0.key < $1.key }
        inputs = sorted.map(\.value)
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

    /// The files with one of the extensions, but for those in hidden folders, in a folder with a configuration of its
    /// own, and in one that is left out.
    private static func files(below folder: URL, without left: URL, _ extensions: Set<String>) -> [URL] {
        var files: [URL] = []
        var pending = [folder]
        while let current = pending.popLast() {
            let entries =
                (try? FileManager.default.contentsOfDirectory(
                    at: current, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)) ?? []
            if current != folder, entries.contains(where: { $0.lastPathComponent == "baton.json" }) { continue }
            for entry in entries {
                // A link to a folder is no folder here; what it leads to is found by the tool.
                let isFolder = (try? entry.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
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
}

extension String {
    /// The path without a slash at its end.
    fileprivate var trimmed: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
