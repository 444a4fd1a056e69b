import Foundation

/// Finds the files that paths and patterns mean.
package struct FileFinder {
    /// The folder to which patterns are relative; absolute.
    private let folder: String
    /// Patterns of files to leave out, relative to the folder or absolute.
    private let excluded: [Glob]
    /// Absolute paths of files and folders to leave out.
    private let excludedPaths: Set<String>

    package init(folder: String, excluding patterns: [String] = [], paths: [String] = []) {
        self.folder = folder
        excluded = patterns.map { Glob(FilePath.join(folder, $0)) }
        excludedPaths = Set(paths)
    }

    /// Absolute paths of the files meant by patterns, folders (all files in them with one of the endings) and plain paths, sorted.
    ///
    /// Hidden files and folders are left out unless a pattern names them. `missing` gets what means no file at all.
    package func files(_ patterns: [String], endings: [String], missing: inout [String]) -> [String] {
        var found: Set<String> = []
        for pattern in patterns {
            let path = FilePath.join(folder, pattern)
            if Glob.isPattern(pattern), !FileManager.default.fileExists(atPath: path) {
                let glob = Glob(path)
                let matches = walk(Glob.root(of: path)).filter { glob.matches($0) }
                found.formUnion(matches)
                continue
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                missing.append(pattern)
                continue
            }
            if isFolder.boolValue {
                found.formUnion(walk(path).filter { file in endings.contains { file.hasSuffix($0) } })
            } else {
                found.insert(path)
            }
        }
        return found.filter { !isExcluded($0) }.sorted()
    }

    private func isExcluded(_ path: String) -> Bool {
        excludedPaths.contains(path) || excluded.contains { $0.matches(path) }
    }

    /// All files below a folder that is neither hidden nor excluded. Links to folders are not followed, so it ends.
    private func walk(_ root: String) -> [String] {
        var files: [String] = []
        var pending = [root]
        while let next = pending.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: next) else { continue }
            for name in names where !name.hasPrefix(".") {
                let path = FilePath.join(next, name)
                if excludedPaths.contains(path) { continue }
                guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
                switch attributes[.type] as? FileAttributeType {
                case .typeDirectory: pending.append(path)
                case .typeSymbolicLink:
                    var isFolder: ObjCBool = false
                    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                        files.append(path)
                    }
                default: files.append(path)
                }
            }
        }
        return files
    }
}
