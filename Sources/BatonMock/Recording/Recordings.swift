import Baton
import BatonHTTP
import BatonTesting
import Foundation

/// The answers that a real server has given, in a folder of files that a person can read and edit.
///
/// A file has the answers to one request: an operation with its variables. `FixtureNetwork` reads such files too.
///
/// State: the answers, and which of them was given last, guarded by a lock of its own, a leaf. Another leaf keeps files
/// from being written at the same time, and guards how many answers each of them has.
final class Recordings: Sendable {
    /// What requests are told apart by.
    struct Key: Sendable, Hashable {
        let exchange: FixtureExchange.Key
        /// The document in one form, however it was laid out; nil if the file has none.
        let document: String?
    }

    /// A mistake in a file, or a limit.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    struct Limits: Sendable {
        /// The number of requests.
        var requests = 10_000
        /// The answers to the same request, one after the other.
        var answers = 20
        /// The bytes of one file.
        var file = 32 << 20
        /// The bytes of all files.
        var total = 256 << 20
    }

    private struct Entry {
        var exchanges: [FixtureExchange] = []
        /// The number of the answer that comes next; the last one is repeated.
        var next = 0
        /// True if an answer was recorded since the program began.
        var isFresh = false
        var size = 0
    }

    private let folder: String
    private let limits: Limits
    private let secrets: Secrets
    private let entries: Guarded<[Key: Entry]>
    /// The number of answers that this program has written into each file.
    private let written = Guarded<[Key: Int]>([:])

    /// Reads the files of a folder, which need not be there.
    ///
    /// - Throws: ``Mistake`` with the file and what is wrong with it.
    init(folder: String, _ secrets: Secrets, _ limits: Limits = Limits()) throws(Mistake) {
        self.folder = folder
        self.secrets = secrets
        self.limits = limits
        entries = Guarded(try Self.read(folder, secrets, limits))
    }

    /// The number of requests with answers.
    var count: Int { entries.withLock(\.count) }

    private static func read(
        _ folder: String, _ secrets: Secrets, _ limits: Limits
    ) throws(Mistake) -> [Key: Entry] {
        var entries: [Key: Entry] = [:]
        var total = 0
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".txt")
        }
        for name in names.sorted() {
            let path = folder + "/" + name
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
            total += size?.intValue ?? 0
            guard let size, size.intValue <= limits.file, total <= limits.total else {
                throw Mistake(description: "The recording '\(path)' cannot be read, or is too large.")
            }
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw Mistake(description: "The recording '\(path)' cannot be read as UTF-8.")
            }
            do throws(FixtureError) {
                for exchange in try FixtureText.exchanges(in: text) {
                    let key = key(of: exchange, secrets)
                    entries[key, default: Entry()].exchanges.append(exchange)
                    entries[key]?.size += size.intValue
                }
            } catch {
                throw Mistake(description: "The recording '\(path)' has a mistake: \(error)")
            }
            guard entries.count <= limits.requests else {
                throw Mistake(description: "The folder '\(folder)' has more than \(limits.requests) recordings.")
            }
        }
        return entries
    }

    private static func key(of exchange: FixtureExchange, _ secrets: Secrets) -> Key {
        let document = exchange.document.map { text -> String in
            var reader = SecretDocument(text, secrets)
            reader.read()
            return reader.key
        }
        return Key(exchange: exchange.key, document: document)
    }

    // MARK: - Answering

    /// The next answer to a request; nil if none was recorded.
    func answer(to key: Key) -> FixtureExchange? {
        entries.withLock { entries in
            // A file that somebody has written need not have the document.
            for key in [key, Key(exchange: key.exchange, document: nil)] {
                guard var entry = entries[key], !entry.exchanges.isEmpty else { continue }
                let exchange = entry.exchanges[min(entry.next, entry.exchanges.count - 1)]
                entry.next = min(entry.next + 1, entry.exchanges.count)
                entries[key] = entry
                return exchange
            }
            return nil
        }
    }

    /// Says that there is no answer to a request, and what there is that is like it.
    func missing(_ key: Key) -> String {
        let keys = entries.withLock { Array($0.keys) }
        let title = key.exchange.title
        let recorded = keys.map(\.exchange).sorted { $0.order.lexicographicallyPrecedes($1.order) }
        if recorded.contains(key.exchange) {
            return
                "No answer to \(title) was recorded with this document; there is one with another document of its name."
        }
        let nearest = key.exchange.nearest(in: recorded)
        let end = nearest.isEmpty ? "nothing that is like it" : nearest.joined(separator: ", ")
        return "No answer to \(title) with these variables was recorded; there is \(end)."
    }

    // MARK: - Recording

    /// Keeps an answer, and writes its file, whole or not at all.
    ///
    /// The first answer to a request since the program began takes the place of those that were recorded before.
    ///
    /// - Throws: ``Mistake``.
    func keep(_ exchange: FixtureExchange, _ key: Key) throws(Mistake) {
        let exchanges = try entries.withLock { entries throws(Mistake) in
            var entry = entries[key] ?? Entry()
            if !entry.isFresh { entry = Entry(isFresh: true) }
            guard entries[key] != nil || entries.count < limits.requests else {
                throw Mistake(description: "There are \(limits.requests) recordings, and no more are kept.")
            }
            guard entry.exchanges.count < limits.answers else {
                throw Mistake(
                    description: "\(key.exchange.title) has \(limits.answers) answers, and no more are kept.")
            }
            entry.exchanges.append(exchange)
            let size = FixtureText.text(of: entry.exchanges).utf8.count
            let total = entries.values.reduce(0) { $0 + $1.size } - (entries[key]?.size ?? 0) + size
            guard size <= limits.file, total <= limits.total else {
                throw Mistake(description: "The recordings have \(limits.total) bytes, and no more are kept.")
            }
            entry.size = size
            entries[key] = entry
            return entry.exchanges
        }
        try write(exchanges, of: key)
    }

    private func write(_ exchanges: [FixtureExchange], of key: Key) throws(Mistake) {
        let path = folder + "/" + Self.fileName(of: key)
        let text = FixtureText.text(of: exchanges, by: "baton-mock")
        let isWritten = written.withLock { written in
            // Another answer, which was kept after this one, may have overtaken it.
            guard exchanges.count > written[key, default: 0] else { return true }
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
                written[key] = exchanges.count
                return true
            } catch {
                return false
            }
        }
        guard isWritten else { throw Mistake(description: "The recording '\(path)' cannot be written.") }
    }

    /// The file of a request: its name, and a digest of what tells it apart.
    static func fileName(of key: Key) -> String {
        let name = key.exchange.operationName.unicodeScalars.filter {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
        }
        let shown = name.isEmpty ? key.exchange.kind.rawValue : String(String.UnicodeScalarView(name.prefix(60)))
        let whole = "\(key.exchange.order)\n\(key.document ?? "")"
        let digest = SHA1.digest(of: Array(whole.utf8)).prefix(6)
        return shown + "-" + digest.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() + ".txt"
    }
}
