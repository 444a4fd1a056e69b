import BatonCodegen
import BatonDiagnostics
import BatonSyntax

/// Prints operations as they are sent.
enum OperationList {
    typealias Item = (name: String, kind: OperationKind, text: String)

    /// Each operation laid out for reading, with an empty line between two.
    static func text(_ operations: [Item]) -> String {
        operations.map { operation in
            let source = SourceFile(id: .predeclared, path: operation.name, bytes: Array(operation.text.utf8))
            return Printer.print(Parser.parseDocument(source).document)
        }.joined(separator: "\n")
    }

    /// An array of objects with `name`, `kind` and the `text` exactly as it is sent.
    static func json(_ operations: [Item]) -> String {
        let items = operations.map { operation in
            let members = [("name", operation.name), ("kind", operation.kind.rawValue), ("text", operation.text)]
            return "{" + members.map { "\(quoted($0)):\(quoted($1))" }.joined(separator: ",") + "}"
        }
        return "[" + items.joined(separator: ",\n") + "]\n"
    }

    private static func quoted(_ text: String) -> String {
        ValueText.graphQL(.string(StringValue(text)))
    }
}
