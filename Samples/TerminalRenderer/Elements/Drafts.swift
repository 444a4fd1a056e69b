/// The texts that a person is writing, each about something else. They outlive the windows in which they are written.
///
///     TextField(drafts[film.id])
@MainActor
public final class Drafts<Subject: Hashable> {
    private let hasLines: Bool
    private var inputs: [Subject: TextInput] = [:]

    /// Makes empty texts, of more than one line or not.
    public init(hasLines: Bool = false) { self.hasLines = hasLines }

    /// The texts that are not empty.
    public var written: [Subject: String] { inputs.mapValues(\.text).filter { !$0.value.isEmpty } }

    /// The text about something.
    public subscript(subject: Subject) -> TextInput {
        let input = inputs[subject] ?? TextInput(hasLines: hasLines)
        inputs[subject] = input
        return input
    }
}
