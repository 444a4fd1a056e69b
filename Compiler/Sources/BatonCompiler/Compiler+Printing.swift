import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Compiler {
    /// An operation in the form of its request.
    package struct PrintedOperation: Hashable, Sendable {
        package let name: String
        /// `query`, `mutation` or `subscription`.
        package let kind: String
        /// The text for the server.
        package let text: String
    }

    /// Prints the whole schema as SDL, without built-in definitions. The server's extensions are merged into their
    /// types; the definitions of client schema extensions follow after a comment.
    package func printedSchema(_ compilation: Compilation) -> String {
        let server = Printer.print(compilation.schema.serverDocument)
        if compilation.schema.clientDefinitions.isEmpty { return server }
        let client = Printer.print(Document(definitions: compilation.schema.clientDefinitions))
        return server + "\n# Client schema extensions, which the server does not know\n\n" + client
    }

    /// The operations, sorted by name; none if this stage or an earlier one has reported an error.
    ///
    /// - Parameter names: Limits this stage to these operations and to their fragments; nil for all operations.
    package mutating func printedOperations(
        _ compilation: Compilation, named names: Set<String>? = nil
    ) -> [PrintedOperation] {
        guard !hasErrors else { return [] }
        let (texts, found) = compilation.operationTexts(named: names)
        report(found)
        guard !hasErrors else { return [] }
        return
            texts
            .map { PrintedOperation(name: $0.name, kind: $0.kind.rawValue, text: $0.text) }
            .sorted { $0.name < $1.name }
    }

    /// Prints operations as a JSON list, with one line for each operation.
    package static func json(_ operations: [PrintedOperation]) -> String {
        let lines = operations.map { operation in
            let line: JSONValue = [
                "name": .string(operation.name), "kind": .string(operation.kind), "text": .string(operation.text),
            ]
            return line.text
        }
        return "[" + lines.joined(separator: ",\n ") + "]\n"
    }
}
