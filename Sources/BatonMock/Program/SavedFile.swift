import Foundation

/// A file that is read again when it was saved.
protocol SavedFile {
    /// What the file has, as messages name it.
    var title: String { get }
    /// Reads the file if it has changed since the last look; false if it has not. A file with mistakes changes nothing.
    ///
    /// - Throws: What is wrong with the file.
    mutating func readAgain() throws -> Bool
}

/// What a file was at the last look.
struct FileLook {
    private struct Facts: Equatable {
        let date: Date?
        let size: UInt64?
        let file: UInt64?
    }

    let path: String
    private var seen: Facts?

    init(_ path: String) { self.path = path }

    /// Whether the file has changed since the last look.
    mutating func hasChanged() -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let now = Facts(
            date: attributes?[.modificationDate] as? Date, size: (attributes?[.size] as? NSNumber)?.uint64Value,
            file: (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value)
        defer { seen = now }
        return now != seen
    }
}
