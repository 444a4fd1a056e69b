import BatonCompiler
import BatonDiagnostics
import BatonLanguageServer
import BatonSyntax
import Foundation
import RandomCases

/// Random renames in random projects with few names. After each rename that the server accepts, the project compiles,
/// and what all operations send is the same but for the name.
package struct RenameStorm {
    /// What a storm has seen.
    package struct Tally: Sendable {
        package var projects = 0
        package var accepted = 0
        package var refused = 0
        /// The refusals by a trial of the rename, and not by a rule.
        package var tried = 0
        package var failure: String?

        package init() {}

        package var description: String {
            "\(projects) projects, \(accepted) renames accepted, \(refused) refused, \(tried) of them by a trial"
        }
    }

    private let folder: String
    private var random: SeededGenerator

    /// Makes projects in a folder, which the caller removes.
    package init(seed: UInt64, in folder: String) {
        self.folder = folder
        random = SeededGenerator(seed: seed)
    }

    private var tree: AbsolutePath { AbsolutePath(absolute: folder + "/tree") }

    /// Tries names in so many projects that compile, or until the first failure.
    package mutating func run(projects: Int, into tally: inout Tally) throws {
        let end = tally.projects + projects
        while tally.projects < end, tally.failure == nil {
            let seed = random.below(1 << 30)
            let text = RenameText(random: SeededGenerator(seed: UInt64(seed)))
            try write(text.files)
            guard let before = sent() else { continue }
            tally.projects += 1
            var server = LanguageServer(version: "storm")
            _ = Self.ask(
                &server, "initialize", ["capabilities": [:], "rootUri": .string(DocumentURI(tree).text)])
            for mark in random.some(of: text.marks, percent: 40) {
                let new = RenameText.newName(mark.kind, &random)
                let answer = Self.ask(
                    &server, "textDocument/rename",
                    [
                        "textDocument": ["uri": .string(DocumentURI(tree.appending(mark.file)).text)],
                        "position": Self.position(mark.offset, in: text.files[mark.file] ?? ""),
                        "newName": .string(new),
                    ])
                let name = "project \(seed): \(mark.kind) '\(mark.name)' at \(mark.offset) of \(mark.file) to '\(new)'"
                guard case .object(let changes)? = answer.at("result", "changes") else {
                    tally.refused += 1
                    let message = answer.at("error", "message")?.string ?? ""
                    if message.contains("would break the project") { tally.tried += 1 }
                    if answer.at("error", "code") != -32803 { tally.failure = name + "\n" + answer.text }
                    continue
                }
                tally.accepted += 1
                try write(changed(text.files, changes.map { ($0.key, $0.value) }))
                guard let after = sent() else {
                    let problems = problems.joined(separator: "\n")
                    tally.failure = name + " breaks\n" + problems + "\n" + Self.shown(text.files)
                    return
                }
                let normal = Self.normal(mark, new, text)
                let (left, right) = (before.map { normal($0, true) }.sorted(), after.map { normal($0, false) }.sorted())
                if left != right {
                    tally.failure =
                        name + " sends something else\n" + left.joined(separator: "\n") + "\n--\n"
                        + right.joined(separator: "\n") + "\n" + Self.shown(text.files)
                    return
                }
            }
        }
    }

    private static func shown(_ files: [String: String]) -> String {
        files.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined()
    }

    // MARK: - The server

    private static func ask(
        _ server: inout LanguageServer, _ method: String, _ parameters: JSONValue
    ) -> JSONValue {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters]
        server.handle(Message.read(Array(request.text.utf8)))
        while true {
            if let answer = server.takeOutput().first(where: { $0["id"] == 1 }) { return answer }
            guard let job = server.nextJob() else { return .null }
            server.finish(job.run())
        }
    }

    /// Each file is one line.
    private static func position(_ offset: Int, in text: String) -> JSONValue {
        ["line": 0, "character": .integer(offset)]
    }

    private func changed(_ files: [String: String], _ changes: [(uri: String, edits: JSONValue)]) -> [String: String] {
        var files = files
        for (uri, edits) in changes {
            guard let path = DocumentURI(uri).path else { continue }
            let name = path.relative(to: tree)
            var document = OpenDocument(uri: DocumentURI(uri), version: 1, text: files[name] ?? "")
            let inTurn = (edits.array ?? []).reversed().map { edit -> JSONValue in
                ["range": edit["range"] ?? .null, "text": edit["newText"] ?? .null]
            }
            _ = document.apply(Array(inTurn), version: 2)
            files[name] = String(decoding: document.bytes, as: UTF8.self)
        }
        return files
    }

    // MARK: - The compiler

    private func write(_ files: [String: String]) throws {
        try? FileManager.default.removeItem(atPath: tree.description)
        var all = files
        all["schema.graphql"] = RenameText.schema
        all["baton.json"] = #"{"schema": ["schema.graphql"], "documents": ["documents"], "output": "out"}"#
        for (name, text) in all {
            let url = URL(fileURLWithPath: tree.appending(name).description)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }

    private func compiled() -> (compiler: Compiler, compilation: Compilation?) {
        var compiler = Compiler(workingDirectory: tree)
        guard let configuration = compiler.readConfiguration(tree.appending("baton.json")) else {
            return (compiler, nil)
        }
        let inputs = ProjectInputs(configuration)
        let compilation = compiler.load(inputs)
        compiler.judge(compilation, of: inputs)
        if !compiler.hasErrors {
            compiler.report(compilation.generate(Compiler.options(configuration)).diagnostics)
        }
        return (compiler, compilation)
    }

    private static func isProblem(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.severity == .error || ["renamed-type", "renamed-member"].contains(diagnostic.id.rawValue)
    }

    private var problems: [String] {
        compiled().compiler.diagnostics.filter(Self.isProblem).map(\.message)
    }

    /// The texts of all requests; nil if the project does not compile, or if a type has another name than it wants.
    private func sent() -> [Compilation.SentText]? {
        let (compiler, compilation) = compiled()
        guard let compilation, !compiler.diagnostics.contains(where: Self.isProblem) else { return nil }
        return compilation.operationTexts().texts
    }

    // MARK: - What is compared

    /// Returns a function that gives a text the new name, if it is one of before, and leaves out the names of fragments
    /// and the order of lines.
    private static func normal(
        _ mark: RenameText.Mark, _ new: String, _ text: RenameText
    ) -> (Compilation.SentText, _ isBefore: Bool) -> String {
        var operations: [String: String] = [:]
        var variableOwner: String?
        var keys: Set<String> = []
        switch mark.kind {
        case .operation: operations[mark.name] = new
        case .fragment:
            if let query = text.queries[mark.name], query == mark.name + "RefetchQuery",
                !text.marks.contains(where: { $0.kind == .operation && $0.name == query })
            {
                operations[query] = new + "RefetchQuery"
            }
        case .variable(let operation): variableOwner = operation
        case .argument(let fragment): variableOwner = text.queries[fragment]
        case .alias: keys = [mark.name, new]
        }
        return { sent, isBefore in
            var lines: [String] = []
            for line in sent.text.split(separator: "\n") {
                var line = line.drop { $0 == " " }[...]
                if line.hasPrefix("fragment "), let condition = line.firstRange(of: " on ") {
                    line = "fragment" + line[condition.lowerBound...]
                }
                if line.hasPrefix("..."), !line.hasPrefix("... ") { line = "..." + line.drop { $0 != " " } }
                let head = sent.kind.rawValue + " " + sent.name
                if line.hasPrefix(head) { line = "operation" + line.dropFirst(head.count) }
                var words = String(line)
                if isBefore, sent.name == variableOwner { words = replaced(words, "$" + mark.name, "$" + new) }
                let key = words.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                if keys.contains(String(key)) {
                    let rest = words.dropFirst(key.count)
                    words = rest.hasPrefix(": ") ? "#" + rest : "#: " + words
                }
                lines.append(words)
            }
            let name = isBefore ? operations[sent.name] ?? sent.name : sent.name
            return name + ": " + lines.sorted().joined(separator: "; ")
        }
    }

    /// Replaces a variable where no letter follows it.
    private static func replaced(_ text: String, _ old: String, _ new: String) -> String {
        text.replacing(old + ")", with: new + ")").replacing(old + ":", with: new + ":")
            .replacing(old + ",", with: new + ",")
    }
}
