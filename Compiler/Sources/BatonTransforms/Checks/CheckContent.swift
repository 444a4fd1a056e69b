import BatonDiagnostics
import BatonIR
import BatonSyntax

extension DocumentCheck {
    static let content = DocumentCheck(
        .refusal, "CheckContent", [.emptyOperation, .nothingToSend],
        .asked { CheckContent.check($0) },
        .text { CheckContent.check($0) })
}

/// Checks that each operation has selections left after the transforms.
///
/// - A query selects a field under some condition.
/// - A mutation or subscription asks the server for a field. The store alone can only answer queries.
enum CheckContent {
    fileprivate static func check(_ asked: Program) -> [Diagnostic] {
        asked.operations.filter { $0.kind == .query && $0.selections.isEmpty }.map { operation in
            let message = "'\(operation.name)' selects nothing, because no condition in it ever holds"
            return Diagnostic(.emptyOperation, message, at: operation.span, suggestion: "leave the operation out")
        }
    }

    fileprivate static func check(_ text: OperationText) -> [Diagnostic] {
        let operation = text.operation
        guard text.isEmpty, operation.kind != .query else { return [] }
        return [
            Diagnostic(
                .nothingToSend, "the \(operation.kind.rawValue) '\(operation.name)' asks the server for nothing",
                at: operation.span, suggestion: "select a field of the server's schema, or update the store instead")
        ]
    }
}
