import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// A fragment in the texts of all operations that reach it.
package final class FragmentText: Sendable {
    package let name: String
    package let type: SchemaType
    package let directives: [Directive]
    package let selections: [TextSelection]
    /// The place of the name in the document.
    package let span: Span
    /// The name in the documents, which copies for arguments share.
    package let writtenName: String
    /// The place of the first spread that passes the arguments of a copy; none if the fragment is not a copy.
    package let copiedAt: Span
    /// The variables that the fragment itself uses.
    let variables: Set<String>
    /// The fragments that the fragment itself spreads, in order.
    let spreads: [String]

    init(_ fragment: Fragment, _ selections: [TextSelection], schema: Schema) {
        name = fragment.name
        type = fragment.type
        directives = fragment.directives.filter(schema.sends)
        self.selections = selections
        span = fragment.span
        writtenName = fragment.writtenName ?? fragment.name
        copiedAt = fragment.copiedAt
        var variables: Set<String> = []
        selections.forEachVariable { variables.insert($0) }
        for directive in directives {
            for argument in directive.arguments { argument.value.forEachVariable { variables.insert($0.name) } }
        }
        self.variables = variables
        spreads = selections.spreads
    }
}
