import Foundation
import Synchronization

/// What outlives the program: the filter, and the texts that were not sent.
struct Work: Codable, Hashable, Sendable {
    var filter = Filter()
    var drafts: [String: Writing.Draft] = [:]
}

/// The file in which ``Work`` is kept, of one repository of one service.
///
/// Only what this process has changed is written, so that the texts of a second one stay.
final class WorkFile: Sendable {
    private let url: URL
    /// What this process has read or written last.
    private let known = Mutex(Work())

    init(_ url: URL) { self.url = url }

    /// The file in a folder.
    convenience init(in folder: URL, service: String, repository: (owner: String, name: String)) {
        let name = [service, repository.owner, repository.name].map { part in
            String(part.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) ? $0 : "_" })
        }
        self.init(folder.appending(path: name.joined(separator: "+") + ".json"))
    }

    /// What was kept; nothing where there is no file yet.
    func read() throws -> Work {
        guard FileManager.default.fileExists(atPath: url.path) else { return Work() }
        let work = try JSONDecoder().decode(Work.self, from: Data(contentsOf: url))
        known.withLock { $0 = work }
        return work
    }

    func write(_ work: Work) throws {
        try known.withLock { known in
            guard work != known else { return }
            // What cannot be read is no work; it was told when the program began.
            var content = (try? JSONDecoder().decode(Work.self, from: Data(contentsOf: url))) ?? known
            for id in Set(work.drafts.keys).union(known.drafts.keys) where work.drafts[id] != known.drafts[id] {
                content.drafts[id] = work.drafts[id]
            }
            if work.filter != known.filter { content.filter = work.filter }
            // What people write is theirs alone.
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(content).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            known = work
        }
    }

    /// Puts a file that cannot be read aside, and returns its new name.
    func putAside() -> String {
        let other = url.appendingPathExtension("unreadable")
        try? FileManager.default.removeItem(at: other)
        try? FileManager.default.moveItem(at: url, to: other)
        return other.path
    }
}
