import BatonCompiler
import BatonDiagnostics
import BatonLanguageServer
import Foundation
import RandomCases

/// Random edits in an editor. After each of them, what the editor was told of the project are the diagnostics of a
/// compiler that knows nothing, on a tree with the same texts.
///
/// References and renames that are asked at random moments are answered as by a server that was started then.
///
/// Documents are opened, typed in and left half typed, saved and closed. Files change behind the editor's back, which
/// tells of it or saves something.
package struct ServerStorm {
    /// What a storm has seen.
    package struct Tally: Sendable {
        package var edits = 0
        package var rounds = 0
        /// The rounds after which the editor shows something else.
        package var changes = 0
        package var mistakes = 0
        /// The requests whose answers were compared, and those of them that waited for a judgement.
        package var requests = 0
        package var waited = 0
        package var failure: String?

        package init() {}

        package var description: String {
            "\(edits) edits, \(rounds) rounds compared, \(changes) with a change, \(mistakes) with errors, "
                + "\(requests) requests compared, \(waited) of which waited"
        }
    }

    private let folder: String
    private var text: StormText
    var random: SeededGenerator
    var server = LanguageServer(version: "storm")
    /// The texts of files, and of the documents that the editor has open.
    var files: [String: String] = [:]
    var open: [String: String] = [:]
    var answers: [JSONValue: JSONValue] = [:]
    var requestCount = 1
    private var shown: [String: [JSONValue]] = [:]
    private var lastShown: [String] = []
    private var version = 1
    /// The texts that counted after the last round without errors.
    private var good: [String: String] = [:]
    private var hasErrors = false
    /// Rests of judgements that are under way.
    private var slow: [JudgeJob] = []

    var tree: AbsolutePath { AbsolutePath(absolute: folder + "/tree") }

    /// Makes the trees in a folder, which the caller removes.
    package init(seed: UInt64, in folder: String) throws {
        self.folder = folder
        random = SeededGenerator(seed: seed)
        text = StormText(random: SeededGenerator(seed: seed &+ 99))
        try write(text.schema(), to: "schema.graphql")
        try write(text.configuration(), to: "baton.json")
        for slot in 0..<StormText.slots { try write(slot) }
        send(
            "initialize", ["capabilities": [:], "rootUri": .string(DocumentURI(tree).text)], isRequest: true)
        send("initialized", [:])
    }

    /// Edits and compares so many times, or until the first difference.
    package mutating func run(edits: Int, into tally: inout Tally) throws {
        try compare(&tally)
        while tally.failure == nil, tally.edits < edits {
            let count = random.chance(80) ? 1 : 1 + random.below(5)
            for _ in 0..<count {
                try edit()
                if random.chance(25) { try ask(&tally) }
                if tally.failure != nil { return }
                // An edit may come while a judgement is under way, and while its rest is.
                if random.chance(20), let job = server.nextJob() {
                    if random.chance(50) { try edit() }
                    server.finish(job.run())
                    if random.chance(50), let rest = server.nextRest() {
                        if random.chance(50) { slow.append(rest) } else { server.finish(rest.run()) }
                    }
                }
            }
            tally.edits += count
            try compare(&tally)
        }
    }

    // MARK: - Comparing

    private mutating func compare(_ tally: inout Tally) throws {
        settle()
        // A rest that was begun before the last edits may end behind those of later judgements.
        if random.chance(50) {
            for job in slow { server.finish(job.run()) }
            slow = []
            settle()
        }
        receive()
        tally.rounds += 1
        let held = shown.flatMap { name, diagnostics in diagnostics.map { Self.line(name, $0) } }.sorted()
        let should = try expected()
        if held != lastShown { tally.changes += 1 }
        hasErrors = should.contains { $0.contains(" error ") }
        if hasErrors { tally.mistakes += 1 } else { good = files.merging(open) { $1 } }
        lastShown = held
        guard held != should else { return }
        let (more, less) = (Set(held).subtracting(should).sorted(), Set(should).subtracting(held).sorted())
        tally.failure =
            "after \(tally.edits) edits:\n-- is shown\n\(more.joined(separator: "\n"))\n-- should be\n"
            + less.joined(separator: "\n")
    }

    private mutating func settle() {
        while let job = server.nextJob() ?? server.nextRest() { server.finish(job.run()) }
    }

    /// The diagnostics of `baton validate` on a tree with the texts that count.
    private func expected() throws -> [String] {
        let copy = folder + "/copy"
        try? FileManager.default.removeItem(atPath: copy)
        for (name, text) in files { try Self.write(open[name] ?? text, to: "\(copy)/\(name)") }
        let base = AbsolutePath(absolute: copy)
        var compiler = Compiler(workingDirectory: base)
        if let configuration = compiler.readConfiguration(base.appending("baton.json")) {
            let inputs = ProjectInputs(configuration)
            let compilation = compiler.load(inputs)
            compiler.judge(compilation, of: inputs)
        }
        return compiler.diagnostics.map { diagnostic in
            let file = compiler.sources[diagnostic.span.source]
            func place(_ offset: UInt32) -> String {
                guard let file else { return "0:0" }
                return Self.place(file.originalOffset(of: Int(offset)), in: file.originalBytes)
            }
            let severity = diagnostic.severity == .error ? "error" : "warning"
            let message = diagnostic.message + (diagnostic.suggestion.map { "; " + $0 } ?? "")
            let notes = diagnostic.notes.filter { compiler.sources[$0.span.source] != nil }.map(\.message)
            let span = diagnostic.span
            return "\(file?.path ?? "baton.json"):\(place(span.start))-\(place(max(span.start, span.end))) \(severity) "
                + "\(diagnostic.id.rawValue) \(message) \(notes)"
        }.sorted()
    }

    private static func line(_ name: String, _ diagnostic: JSONValue) -> String {
        func place(_ key: String) -> String {
            let place = diagnostic.at("range", key)
            return "\(place?["line"]?.integer ?? -1):\(place?["character"]?.integer ?? -1)"
        }
        let severity = diagnostic["severity"] == 1 ? "error" : "warning"
        let notes = (diagnostic["relatedInformation"]?.array ?? []).compactMap { $0["message"]?.string }
        return "\(name):\(place("start"))-\(place("end")) \(severity) \(diagnostic["code"]?.string ?? "") "
            + "\(diagnostic["message"]?.string ?? "") \(notes)"
    }

    /// The line and the column in UTF-16, counted from the beginning.
    private static func place(_ offset: Int, in bytes: [UInt8]) -> String {
        let before = bytes.prefix(offset)
        let lines = before.split(separator: 0x0A, omittingEmptySubsequences: false)
        return "\(lines.count - 1):\(String(decoding: lines.last ?? [], as: UTF8.self).utf16.count)"
    }

    // MARK: - The editor

    private mutating func send(_ method: String, _ parameters: JSONValue, isRequest: Bool = false) {
        server.handle(Self.message(method, parameters, isRequest ? .integer(requestCount) : nil))
        receive()
    }

    static func message(
        _ method: String, _ parameters: JSONValue, _ id: JSONValue?
    ) -> Result<Message, Message.Refusal> {
        let message: JSONValue = ["jsonrpc": "2.0", "method": .string(method), "params": parameters]
        return Message.read(Array(message.with("id", id).text.utf8))
    }

    mutating func receive() {
        for message in server.takeOutput() {
            if message["method"] == nil, let id = message["id"] { answers[id] = message }
            guard message["method"]?.string == "textDocument/publishDiagnostics",
                let path = message.at("params", "uri")?.string.flatMap({ DocumentURI($0).path })
            else { continue }
            shown[path.relative(to: tree)] = message.at("params", "diagnostics")?.array ?? []
        }
    }

    func uri(_ name: String) -> JSONValue { .string(DocumentURI(tree.appending(name)).text) }

    var documents: [String] { files.keys.filter { $0.hasPrefix("documents/") }.sorted() }

    /// Goes back to the last texts without errors, or writes everything anew.
    private mutating func repair() throws {
        var texts = good
        if texts.isEmpty || random.chance(10) {
            texts = ["schema.graphql": text.schema(), "baton.json": text.configuration()]
            for slot in 0..<StormText.slots {
                let (name, content) = document(slot)
                texts[name] = content
            }
        }
        let removed = files.keys.filter { texts[$0] == nil }.sorted()
        for name in removed {
            close(name)
            try remove(name)
        }
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            if files[name] != text { try write(text, to: name) }
            if let old = open[name], old != text { change(name, Array(old), 0..<Array(old).count, text) }
        }
        tellOfFiles(removed + texts.keys.sorted())
    }

    mutating func edit() throws {
        if hasErrors, random.chance(25) { return try repair() }
        let isOpen = random.chance(75)
        let name =
            isOpen && !open.isEmpty ? random.pick(open.keys.sorted()) : random.pick(documents + ["schema.graphql"])
        switch random.below(100) {
        case 0..<40: type(in: name)
        case 40..<66: replace(name)
        case 66..<70: if open[name] == nil { openDocument(name) } else { close(name) }
        case 70..<76: try save(name)
        case 76..<88:
            let slot = random.below(StormText.slots)
            try write(slot)
            tellOfFiles(documents)
        case 88..<91:
            try write(text.schema(), to: "schema.graphql")
            tellOfFiles(["schema.graphql"])
        case 91..<94:
            try write(text.configuration(), to: "baton.json")
            tellOfFiles(["baton.json"])
        case 94..<97:
            guard name != "schema.graphql", documents.count > 3 else { return }
            close(name)
            try remove(name)
            tellOfFiles([name])
        default: for name in open.keys.sorted() { try save(name) }
        }
    }

    private mutating func openDocument(_ name: String) {
        guard let text = files[name], open[name] == nil else { return }
        open[name] = text
        version += 1
        send(
            "textDocument/didOpen",
            [
                "textDocument": [
                    "uri": uri(name), "languageId": "graphql", "version": .integer(version), "text": .string(text),
                ]
            ])
    }

    private mutating func close(_ name: String) {
        guard open.removeValue(forKey: name) != nil else { return }
        send("textDocument/didClose", ["textDocument": ["uri": uri(name)]])
    }

    private mutating func save(_ name: String) throws {
        guard let text = open[name] else { return }
        try write(text, to: name)
        send("textDocument/didSave", ["textDocument": ["uri": uri(name)]])
    }

    /// Inserts, removes or replaces a few characters, most often at the end of a word.
    private mutating func type(in name: String) {
        openDocument(name)
        guard let old = open[name] else { return }
        let characters = Array(old)
        let start = random.below(characters.count + 1)
        let end = min(characters.count, start + (random.chance(50) ? 0 : random.below(12)))
        let pieces = ["", "{", "}", " id ", " # \u{1F600}\n", "...", "\n", "$", "name", "@", "(", "\"", " ...C4_film "]
        let new = random.pick(pieces)
        change(name, characters, start..<end, new)
    }

    private mutating func replace(_ name: String) {
        openDocument(name)
        guard let old = open[name] else { return }
        if name == "schema.graphql" { return change(name, Array(old), 0..<Array(old).count, text.schema()) }
        let definitions = text.definitions(random.below(StormText.slots))
        let isSwift = name.hasSuffix(".swift")
        let new = definitions.map { isSwift ? "let document = graphql(\"\"\"\n  \($0)\n  \"\"\")\n" : $0 + "\n" }
            .joined()
        // The beginning may be all that is typed so far.
        let typed = random.chance(70) ? new : String(new.prefix(random.below(new.count + 1)))
        change(name, Array(old), 0..<Array(old).count, typed)
    }

    private mutating func change(_ name: String, _ old: [Character], _ range: Range<Int>, _ new: String) {
        version += 1
        open[name] = String(old[..<range.lowerBound]) + new + String(old[range.upperBound...])
        send(
            "textDocument/didChange",
            [
                "textDocument": ["uri": uri(name), "version": .integer(version)],
                "contentChanges": [
                    [
                        "range": [
                            "start": Self.position(range.lowerBound, in: old),
                            "end": Self.position(range.upperBound, in: old),
                        ],
                        "text": .string(new),
                    ]
                ],
            ])
    }

    static func position(_ index: Int, in text: [Character]) -> JSONValue {
        let lines = String(text[..<index]).split(separator: "\n", omittingEmptySubsequences: false)
        return ["line": .integer(lines.count - 1), "character": .integer(lines.last?.utf16.count ?? 0)]
    }

    private mutating func tellOfFiles(_ names: [String]) {
        let changes = names.map { name -> JSONValue in ["uri": uri(name), "type": 2] }
        send("workspace/didChangeWatchedFiles", ["changes": .array(changes)])
    }

    // MARK: - The disk

    private mutating func write(_ slot: Int) throws {
        let (name, content) = document(slot)
        try write(content, to: name)
    }

    /// A file for a slot.
    private mutating func document(_ slot: Int) -> (name: String, content: String) {
        let definitions = text.definitions(slot)
        let name = "documents/C\(slot)." + (slot % 5 == 3 ? "swift" : "graphql")
        guard name.hasSuffix(".swift") else { return (name, definitions.joined(separator: "\n\n") + "\n") }
        let literals = definitions.map { "private let document = graphql(\n    \"\"\"\n    \($0)\n    \"\"\")\n" }
        return (name, "import Baton\n// \u{1F600}\n\n" + literals.joined(separator: "\n"))
    }

    private mutating func write(_ content: String, to name: String) throws {
        files[name] = content
        try Self.write(content, to: "\(folder)/tree/\(name)")
    }

    private static func write(_ content: String, to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: url)
    }

    private mutating func remove(_ name: String) throws {
        guard files.removeValue(forKey: name) != nil else { return }
        try FileManager.default.removeItem(atPath: "\(folder)/tree/\(name)")
    }
}
