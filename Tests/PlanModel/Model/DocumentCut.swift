import BatonDiagnostics
import BatonSyntax

/// Removes one item from a document: the item at a position in document order.
package struct DocumentCut {
    private var left: Int
    private var isDone = false

    private init(at index: Int) { left = index }

    /// Removes selections, conditions and definitions from a text as long as the smaller text is wanted.
    package static func shrink(_ text: inout String, while isWanted: (String) -> Bool) {
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            var sources = SourceSet()
            let document = Parser.parseDocument(sources.add(path: "documents.graphql", text: text)).document
            var index = 0
            while let smaller = cut(document, at: index) {
                index += 1
                guard isWanted(smaller) else { continue }
                text = smaller
                isSmaller = true
                break
            }
        }
    }

    /// The text without the item at a position, and without fragments and variables that are then unused. Nil if the
    /// document has fewer items.
    private static func cut(_ document: Document, at index: Int) -> String? {
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
