import Foundation

/// The text of a frame or of a store, to be compared with an expected one.
///
///     try Snapshot(row.frame ?? "").expect("* Hope 1977")
///     try Snapshot(mock.environment.records).expect(file: "Snapshots/store.txt")
///     try Snapshot(markup: page).expect(file: "Snapshots/page.html")
///
/// Identities that the process counts (`client:local:17`) are numbered in the order of their appearance: `local#1`.
/// Spaces at the ends of lines, and empty lines at the end, do not count.
///
/// An expectation throws ``MockFailure`` with the lines that differ, so `try` is all that a test of any framework
/// writes.
public struct Snapshot: Sendable, Hashable, CustomStringConvertible {
    /// The lines.
    public let lines: [String]

    /// Takes the lines of a frame.
    public init(lines: [String]) {
        let text = CountedNames.renumbered(lines.joined(separator: "\n").replacing("\r\n", with: "\n"))
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    /// Takes the description of a value: a text, `environment.records`, or what a ``ComponentTester`` says was drawn.
    public init(_ content: some CustomStringConvertible) { self.init(lines: [content.description]) }

    /// Takes markup, with a line for each tag that follows another one. Markup without line breaks is then compared
    /// element by element.
    public init(markup: String) { self.init(lines: [markup.replacing("><", with: ">\n<")]) }

    /// The text.
    public var description: String { lines.joined(separator: "\n") }

    /// How the snapshot differs from an expected text: a unified diff, with `-` before what was expected; nil if it
    /// does not differ.
    public func difference(from expected: String) -> String? {
        LineDifference(from: Snapshot(expected).lines, to: lines).text()
    }

    /// Expects a text.
    ///
    /// - Throws: ``MockFailure`` with the difference.
    public func expect(_ expected: String) throws(MockFailure) {
        guard let difference = difference(from: expected) else { return }
        throw MockFailure("the snapshot is another one than was expected (-):\n\(difference)")
    }

    /// Expects the text of a file. If the file is not there, it is written, and the expectation fails for this once.
    ///
    /// With `UPDATE_SNAPSHOTS=1` in the process' environment, files that differ are written too.
    ///
    /// - Parameters:
    ///   - path: The path of the file from the folder of the source file, or from the root.
    ///   - source: The source file.
    /// - Throws: ``MockFailure`` with the difference, or an error of the file.
    public func expect(file path: String, beside source: String = #filePath) throws {
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent()
        let file = path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appendingPathComponent(path)
        let known = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        let difference = known.map { self.difference(from: $0) } ?? "it was not there"
        guard let difference else { return }
        guard known == nil || ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" else {
            throw MockFailure("the snapshot is another one than '\(path)' (-):\n\(difference)")
        }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((description + "\n").utf8).write(to: file)
        throw MockFailure("the snapshot was written to '\(file.path)': read it, and run the test again")
    }
}
