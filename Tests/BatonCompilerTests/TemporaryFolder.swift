import BatonCompiler
import Foundation

/// A folder for one test. The folder is removed at the end of this object.
final class TemporaryFolder: Sendable {
    let path: AbsolutePath

    init(_ files: [String: String] = [:]) throws {
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
        path = AbsolutePath(absolute: base).appending("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.description, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.description)
    }

    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    func write(_ data: Data, to name: String) throws {
        let file = path.appending(name)
        try FileManager.default.createDirectory(atPath: file.parent.description, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file.description))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path.appending(name).description,
            withIntermediateDirectories: true
        )
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path.appending(name).description,
            withDestinationPath: target
        )
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path.appending(name).description)
    }

    /// The text of a file; nil if there is no such file.
    func text(_ name: String) -> String? {
        try? String(contentsOfFile: path.appending(name).description, encoding: .utf8)
    }

    /// All files with their texts.
    var contents: [String: String] {
        let names = FileManager.default.enumerator(atPath: path.description)?.compactMap { $0 as? String } ?? []
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in text(name).map { (name, $0) } })
    }
}
