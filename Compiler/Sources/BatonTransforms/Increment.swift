import BatonIR
import BatonSyntax

/// A part of an answer that arrives later, by `@defer` or `@stream`.
///
/// `LabelIncrements` gives each part its label.
package struct Increment: Hashable, Sendable {
    /// The name of the part in the answer.
    package let label: String
    /// The Boolean variable that decides whether the part arrives later; nil if it always does.
    package let condition: String?
    /// The number of items that come at once; nil if the document does not have a literal number.
    package let initialCount: Int?

    /// Makes the part for a directive; nil without the directive, and if its `if` is false.
    init?(_ name: String, in directives: [Directive]) {
        guard let directive = directives.named(name), case .string(let label)? = directive.argument("label") else {
            return nil
        }
        self.label = label.text
        switch directive.argument("if") {
        case .boolean(let value) where !value.isTrue: return nil
        case .variable(let variable): condition = variable.name
        default: condition = nil
        }
        if case .int(let count)? = directive.arguments.first(where: { Self.countNames.contains($0.name.text) })?.value {
            initialCount = Int(count.text)
        } else {
            initialCount = nil
        }
    }

    /// The directives that ask for parts.
    static let directives: Set<String> = ["defer", "stream", "stream_connection"]
    /// The spellings of the argument for the number of items that come at once; the first one is the specification's.
    static let countNames = ["initialCount", "initial_count"]
    /// The spellings of the argument that lets the server choose the size of parts.
    static let batchNames = ["useCustomizedBatch", "use_customized_batch"]
}
