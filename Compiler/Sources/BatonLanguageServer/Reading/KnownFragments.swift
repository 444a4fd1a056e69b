import BatonCompiler
import BatonProject

/// The fragments that a document can spread: those of the project's other documents, and those of the document as it is
/// now. Of two with one name, that of the document counts. What the document had when it was judged counts no more.
///
/// The document is looked at when a fragment is asked for, because most requests ask for none.
final class KnownFragments {
    private typealias Entries = [String: DefinitionIndex.Entry]

    private let index: DefinitionIndex
    private let path: AbsolutePath
    private let findPresent: () -> PresentFragments?

    /// Makes the fragments of the last judgement and of a text.
    init(_ view: ProjectView, and text: GraphQLText) {
        let isJudged = view.hasDocuments(in: text.path) && view.bytes(of: text.path) == text.bytes
        index = view.index
        path = text.path
        findPresent = { isJudged ? nil : PresentFragments(text, limits: view.compiler.limits) }
    }

    /// The fragments of the text; nil if the text is the one that was judged.
    private lazy var present = findPresent()
    /// The fragments that the document had when it was judged.
    private lazy var judged = Self.named(index.fragments(in: path))
    /// The fragments of the other documents.
    private lazy var others = index.fragments(outside: path, judged.keys)
    private lazy var all = others.merging(present.map { Self.named($0.all) } ?? judged) { $1 }

    private static func named(_ entries: [DefinitionIndex.Entry]) -> Entries {
        Entries(entries.map { ($0.name, $0) }) { $1 }
    }

    subscript(name: String) -> DefinitionIndex.Entry? {
        guard let present else { return judged[name] ?? index.fragments[name] }
        guard present.areAllFound else { return all[name] }
        if let own = present[name] { return own }
        let known = index.fragments[name]
        return known?.path == path ? others[name] : known
    }

    var values: some Sequence<DefinitionIndex.Entry> { all.values }
}
