import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Project {
    /// An operation as it is sent.
    package struct PrintedOperation: Hashable, Sendable {
        package let name: String
        /// `query`, `mutation` or `subscription`.
        package let kind: String
        /// The text that a server gets.
        package let text: String

        /// The text laid out for people, ended by a line break.
        package var layout: String {
            let file = SourceFile(id: .predeclared, path: name, bytes: Array(text.utf8))
            return Printer.print(Parser.parseDocument(file).document)
        }
    }

    /// The whole schema in SDL, extensions merged, without what every schema has.
    package func printedSchema(_ input: Input) -> String {
        Printer.print(input.schema.document)
    }

    /// All operations by name, or none if anything that was reported is an error.
    package func printedOperations(_ input: Input) -> [PrintedOperation] {
        guard !diagnostics.hasErrors else { return [] }
        return compilation(input).operationTexts()
            .map { PrintedOperation(name: $0.name, kind: $0.kind.rawValue, text: $0.text) }
            .sorted { $0.name < $1.name }
    }

    /// Operations as a JSON list, one line each.
    package static func json(_ operations: [PrintedOperation]) -> String {
        let lines = operations.map { operation in
            "{\"name\":\(quoted(operation.name)),\"kind\":\(quoted(operation.kind)),\"text\":\(quoted(operation.text))}"
        }
        return "[" + lines.joined(separator: ",\n ") + "]\n"
    }

    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
