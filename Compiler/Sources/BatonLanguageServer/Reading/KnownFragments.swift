import BatonCompiler
import BatonProject

/// The fragments that a document can spread: those of the project, and those of the document as it is now. Of two with
/// one name, that of the document counts.
///
/// The document is looked at when a fragment is asked for, because most requests ask for none.
final class KnownFragments {
    private typealias Entries = [String: DefinitionIndex.Entry]

    private let index: DefinitionIndex
    private let path: AbsolutePath?
    private let findPresent: () -> PresentFragments?

    /// Makes the fragments of the last judgement.
    init(_ view: ProjectView?) {
        index = view?.index ?? DefinitionIndex()
        path = nil
        findPresent = { nil }
    }

    /// Makes the fragments of the last judgement and of a text.
    init(_ view: ProjectView, and text: GraphQLText) {
        let isJudged = view.hasDocuments(in: text.path) && view.bytes(of: text.path) == text.bytes
        index = view.index
        path = isJudged ? text.path : nil
        findPresent = { isJudged ? nil : PresentFragments(text, limits: view.compiler.limits) }
    }

    /// The fragments of the text; nil if the text is the one that was judged.
    private lazy var present = findPresent()
    /// The fragments of the text if it is the one that was judged.
    private lazy var judged = Self.named(path.map(index.fragments(in:)) ?? [])
    private lazy var all = index.fragments.merging(present.map { Self.named($0.all) } ?? judged) { $1 }

    private static func named(_ entries: [DefinitionIndex.Entry]) -> Entries {
        Entries(entries.map { ($0.name, $0) }) { $1 }
    }

    subscript(name: String) -> DefinitionIndex.Entry? {
        guard let present else { return judged[name] ?? index.fragments[name] }
        return present.areAllFound ? present[name] ?? index.fragments[name] : all[name]
    }

    var values: some Sequence<DefinitionIndex.Entry> { all.values }
}
