import BatonDiagnostics
import BatonIR
import BatonSchema

/// A check of documents that are valid GraphQL, and the forms of the documents that the check looks at.
///
/// A check reports and changes nothing, and a transform changes and reports nothing. All messages about documents are
/// therefore in `Checks`. Each check is declared in the file of its name, above its code.
struct DocumentCheck: Sendable {
    let kind: Kind
    /// The name of the check's file in `Checks`.
    let name: String
    /// The ids of all diagnostics that the check reports.
    let ids: [DiagnosticID]
    let looks: [Look]

    init(_ kind: Kind, _ name: String, _ ids: [DiagnosticID], _ looks: Look...) {
        self.kind = kind
        self.name = name
        self.ids = ids
        self.looks = looks
    }

    /// The meaning of a check's diagnostics for the documents.
    enum Kind: Sendable {
        /// The documents break a rule of Relay's language. `baton validate` reports these mistakes too.
        case mistake
        /// The documents are correct, but the compiler does less or other things with them than their author may
        /// expect.
        case refusal
        /// The documents are correct, and too large for later forms.
        case limit
    }

    /// A form of the documents that a check looks at. `Pipeline` makes the forms in this order.
    enum Look: Sendable {
        /// The documents as written, with the aliases of fragments at their spreads.
        case written(@Sendable (CheckedProgram) -> [Diagnostic])
        /// The documents in which fragments have replaced their spreads without masks.
        case unmasked(@Sendable (CheckedProgram) -> [Diagnostic])
        /// The documents with the generated queries of `@refetchable` fragments.
        case refetched(@Sendable (Program) -> [Diagnostic])
        /// The documents with a copy of each fragment for each list of arguments.
        case copied(@Sendable (ApplyFragmentArguments.Result) -> [Diagnostic])
        /// The documents without selections that no condition ever includes.
        case asked(@Sendable (Program) -> [Diagnostic])
        /// The plan of one definition, with the place of its name.
        case plan(@Sendable (Flatten, Span) -> [Diagnostic])
        /// The text of the request for one operation.
        case text(@Sendable (OperationText) -> [Diagnostic])
    }
}
