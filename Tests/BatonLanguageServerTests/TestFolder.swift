import BatonCompiler
import Foundation

/// A folder with files for one test, removed at the end of this object.
final class TestFolder: Sendable {
    let path: AbsolutePath

    init(_ files: [String: String] = [:]) throws {
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
        path = AbsolutePath(absolute: base).appending("baton-lsp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.description, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.description)
    }

    func file(_ name: String) -> AbsolutePath { AbsolutePath(name, relativeTo: path) }

    func write(_ text: String, to name: String) throws {
        let file = file(name)
        try FileManager.default.createDirectory(atPath: file.parent.description, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.description))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name).description) }
}
