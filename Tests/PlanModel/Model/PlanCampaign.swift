import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Compares random schemas and documents with their naive interpretation.
package struct PlanCampaign {
    /// The numbers of compared things.
    package struct Tally: Sendable {
        package var operations = 0
        package var documents = 0
        package var invalid = 0
        package var failure: Failure?

        package init() {}
    }

    /// Documents whose compilation is wrong.
    package struct Failure: Sendable, CustomStringConvertible {
        package let seed: UInt64
        package let schema: String
        package let extensions: String?
        package let documents: String
        package let message: String

        package var description: String {
            "seed \(seed): \(message)\n# schema.graphql\n\(schema)"
                + (extensions.map { "# extensions.graphql\n\($0)" } ?? "") + "# documents.graphql\n\(documents)"
        }
    }

    /// The number of documents for each schema.
    private static let documentsPerSchema: UInt64 = 20

    /// Compares the documents of one seed; the documents depend only on the seed.
    package static func run(seed: UInt64, into tally: inout Tally) {
        guard let (texts, schema) = schema(for: seed / documentsPerSchema) else {
            tally.invalid += 1
            return
        }
        guard let documents = RandomDocuments(RandomNumbers(seed: seed &+ 1_000_003), schema) else { return }
        switch PlanComparison.run(schema, documents.text, seed: seed) {
        case .passed(let operations):
            tally.operations += operations
            tally.documents += 1
        case .invalid: tally.invalid += 1
        case .failed(let message):
            let (text, last) = shrink(documents.text, message, schema, seed)
            tally.failure = Failure(
                seed: seed, schema: texts.text, extensions: texts.extensions, documents: text, message: last)
        }
    }

    /// The first valid schema for a number.
    private static func schema(for number: UInt64) -> (texts: RandomSchema, schema: Schema)? {
        for attempt in 0..<20 as Range<UInt64> {
            let texts = RandomSchema(RandomNumbers(seed: number &* 20 &+ attempt))
            var compiler = Compiler(workers: .one)
            let files = [compiler.addSource(path: "schema.graphql", text: texts.text)]
            let extensions = texts.extensions.map { [compiler.addSource(path: "extensions.graphql", text: $0)] } ?? []
            let loaded = compiler.loadSchema(files, extensions: extensions)
            if loaded.diagnostics.isEmpty { return (texts, loaded.schema) }
        }
        return nil
    }

    // MARK: - Shrinking

    /// Removes selections, conditions and definitions while the documents stay valid and their compilation stays wrong.
    private static func shrink(
        _ text: String, _ message: String, _ schema: Schema, _ seed: UInt64
    ) -> (text: String, message: String) {
        var best = text
        var last = message
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            var sources = SourceSet()
            let document = Parser.parseDocument(sources.add(path: "documents.graphql", text: best)).document
            var index = 0
            while let smaller = DocumentCut.cut(document, at: index) {
                index += 1
                guard case .failed(let message) = PlanComparison.run(schema, smaller, seed: seed) else { continue }
                best = smaller
                last = message
                isSmaller = true
                break
            }
        }
        return (best, last)
    }
}

/// Removes one thing from a document: the thing at a position in document order.
private struct DocumentCut {
    private var left: Int
    private var isDone = false

    private init(at index: Int) { left = index }

    /// The text without the thing at a position, and without fragments and variables that are then unused. Nil if the
    /// document has fewer things.
    static func cut(_ document: Document, at index: Int) -> String? {
        var cut = DocumentCut(at: index)
        return cut.cut(document)
    }

    private mutating func cut(_ document: Document) -> String? {
        var result = document
        var operations = result.operations.count
        result.definitions.removeAll { definition in
            guard case .operation = definition, operations > 1, takes() else { return false }
            operations -= 1
            return true
        }
        for index in result.definitions.indices {
            switch result.definitions[index] {
            case .operation(var operation):
                cut(&operation.selectionSet)
                result.definitions[index] = .operation(operation)
            case .fragment(var fragment):
                cut(&fragment.selectionSet)
                result.definitions[index] = .fragment(fragment)
            default: break
            }
        }
        return isDone ? Self.text(of: result) : nil
    }

    private mutating func takes() -> Bool {
        if isDone { return false }
        left -= 1
        if left < 0 { isDone = true }
        return isDone
    }

    private mutating func cut(_ set: inout SelectionSet) {
        if set.selections.count > 1 {
            for index in set.selections.indices where takes() {
                set.selections.remove(at: index)
                return
            }
        }
        for index in set.selections.indices {
            guard case .inlineFragment(let inline) = set.selections[index], takes() else { continue }
            set.selections.replaceSubrange(index...index, with: inline.selectionSet.selections)
            return
        }
        for index in set.selections.indices where !isDone {
            switch set.selections[index] {
            case .field(var field):
                if !field.directives.isEmpty, takes() { field.directives.removeLast() }
                if var inner = field.selectionSet {
                    cut(&inner)
                    field.selectionSet = inner
                }
                set.selections[index] = .field(field)
            case .inlineFragment(var inline):
                if !inline.directives.isEmpty, takes() { inline.directives.removeLast() }
                cut(&inline.selectionSet)
                set.selections[index] = .inlineFragment(inline)
            case .fragmentSpread(var spread):
                if !spread.directives.isEmpty, takes() { spread.directives.removeLast() }
                set.selections[index] = .fragmentSpread(spread)
            }
        }
    }

    private static func text(of document: Document) -> String {
        var document = document
        var count = -1
        while count != document.definitions.count {
            count = document.definitions.count
            let text = Printer.print(document)
            document.definitions.removeAll { definition in
                guard case .fragment(let fragment) = definition else { return false }
                return !text.contains("...\(fragment.name.text)\n") && !text.contains("...\(fragment.name.text) ")
            }
        }
        for index in document.definitions.indices {
            guard case .operation(var operation) = document.definitions[index] else { continue }
            let used = usedText(of: operation, document)
            operation.variables.removeAll { !used.contains("$\($0.name.text)") }
            document.definitions[index] = .operation(operation)
        }
        return Printer.print(document)
    }

    /// The text of an operation and of the fragments that it reaches; variables have names of one letter.
    private static func usedText(of operation: OperationDefinition, _ document: Document) -> String {
        var operation = operation
        operation.variables = []
        var text = Printer.print(Document(definitions: [.operation(operation)]))
        var reached: Set<String> = []
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for fragment in document.fragments where !reached.contains(fragment.name.text) {
                let name = fragment.name.text
                guard text.contains("...\(name)\n") || text.contains("...\(name) ") else { continue }
                reached.insert(name)
                text += Printer.print(Document(definitions: [.fragment(fragment)]))
                isGrowing = true
            }
        }
        return text
    }
}
