package import Baton
import BatonDiagnostics
import BatonSyntax

// What a server asks of a world beside whole responses.

extension World {
    /// What a server knows of an operation before it is executed.
    package struct ServedOperation: Sendable, Hashable {
        package let kind: Baton.OperationKind
        package let name: String?

        fileprivate init?(_ operation: OperationDefinition) {
            guard let kind = Baton.OperationKind(rawValue: operation.kind.rawValue) else { return nil }
            self.kind = kind
            name = operation.name?.text
        }

        /// What a text says of an operation, without a schema; nil if it has no such operation.
        package init?(in text: String, named name: String?) {
            var sources = SourceSet()
            let limits = ParserLimits(nesting: 80, tokens: 2_000_000)
            let parsed = Parser.parseDocument(sources.add(path: "request", text: text), limits: limits)
            let operations = parsed.document.operations
            let found =
                name == nil && operations.count == 1
                ? operations.first : operations.first { $0.name?.text == name && name != nil }
            guard let found, !parsed.diagnostics.contains(where: { $0.severity == .error }) else { return nil }
            self.init(found)
        }
    }

    /// Finds the operation that a request asks for; nil if it cannot be executed, of which its response says why.
    package func operation(of text: String, named name: String?) -> ServedOperation? {
        let prepared = service.document(text)
        guard prepared.problems.isEmpty, let index = try? prepared.operation(named: name) else { return nil }
        return ServedOperation(prepared.operations[index])
    }

    /// Executes a query or a mutation, and returns the payloads of its response in the format that a client accepts.
    package func executeInParts(
        _ text: String, operationName: String?, variables: JSONValue, as format: LocalService.IncrementalFormat
    ) -> [JSONValue] {
        service.executeInParts(text, operationName: operationName, variables: variables, as: format)
    }

    /// Executes a subscription for one of its events. Events with other numbers have other values.
    package func execute(
        event number: Int, of text: String, operationName: String?, variables: JSONValue
    ) -> JSONValue {
        service.execute(text, operationName, variables, event: data.root(for: .subscription, event: number))
    }
}
