import BatonDiagnostics
import BatonIR
import BatonSchema

/// A check of documents that are valid GraphQL, with the forms of the documents that it looks at.
///
/// A check reports and changes nothing; a transform changes and reports nothing. So all messages about documents are in
/// `Checks`. Each check is declared in the file of its name, above its code.
struct DocumentCheck: Sendable {
    let kind: Kind
    /// The name of the check's file in `Checks`.
    let name: String
    /// The ids of all that it reports.
    let ids: [DiagnosticID]
    let looks: [Look]

    init(_ kind: Kind, _ name: String, _ ids: [DiagnosticID], _ looks: Look...) {
        self.kind = kind
        self.name = name
        self.ids = ids
        self.looks = looks
    }

    /// What it means for documents that a check reports something.
    enum Kind: Sendable {
        /// They break a rule of Relay's language. `validate` says so, too.
        case mistake
        /// They are right, and something else is made of them than their author may expect, or nothing.
        case refusal
        /// They are right, and too large for the forms that come later.
        case limit
    }

    /// The form of the documents that a check looks at. `Pipeline` makes them in this order.
    enum Look: Sendable {
        /// The documents as written, with the aliases of fragments at their spreads.
        case written(@Sendable (CheckedProgram) -> [Diagnostic])
        /// With the fragments of spreads without masks in the places of these spreads.
        case unmasked(@Sendable (CheckedProgram) -> [Diagnostic])
        /// With the queries of fragments that are fetched again.
        case refetched(@Sendable (Program) -> [Diagnostic])
        /// With a copy of each fragment for the arguments that are passed to it.
        case copied(@Sendable (ApplyFragmentArguments.Result) -> [Diagnostic])
        /// Without what no condition ever selects.
        case asked(@Sendable (Program) -> [Diagnostic])
        /// The plan of one definition, whose name is at the place.
        case plan(@Sendable (Flatten, Span) -> [Diagnostic])
        /// The text that is sent for one operation.
        case text(@Sendable (OperationText) -> [Diagnostic])
    }
}
