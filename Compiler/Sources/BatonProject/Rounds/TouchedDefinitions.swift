/// What an edit of some files touches.
///
///     changed     definitions of the files whose text is another one, that appeared or disappeared
///     touched     all definitions of the files, and what reaches a changed fragment, before or after
///     read        fragments that touched definitions reach, to judge and to generate them
///
/// Warnings are kept by file. A file with a touched definition therefore has only touched ones.
package struct TouchedDefinitions: Hashable, Sendable {
    package private(set) var touched: Set<DefinitionRecord.Key> = []
    package private(set) var read: Set<String> = []
    /// The fragments that touched definitions reached before.
    package private(set) var readBefore: Set<String> = []

    /// A file with its definitions before and after; no definitions where it does not exist.
    package struct Edit: Sendable {
        package var before: [DefinitionRecord]
        package var after: [DefinitionRecord]

        package init(before: [DefinitionRecord], after: [DefinitionRecord]) {
            self.before = before
            self.after = after
        }
    }

    /// `together` are the definitions of each file afterwards.
    package init(
        _ edits: [Edit], from old: DefinitionGraph, to new: DefinitionGraph, together: [[DefinitionRecord.Key]]
    ) {
        var changed: Set<String> = []
        for edit in edits {
            touched.formUnion(edit.after.map(\.key))
            changed.formUnion(Self.changedFragments(edit))
        }
        touched.formUnion(new.reaching(changed))
        touched.formUnion(old.reaching(changed).filter { new[$0] != nil })
        for file in together where file.contains(where: touched.contains) { touched.formUnion(file) }
        read = new.reached(from: touched)
        readBefore = old.reached(from: touched.union(edits.flatMap { $0.before.map(\.key) }))
    }

    private static func changedFragments(_ edit: Edit) -> Set<String> {
        func digests(_ records: [DefinitionRecord]) -> [String: UInt64] {
            Dictionary(records.filter(\.isFragment).map { ($0.name, $0.digest) }, uniquingKeysWith: { $0 &+ $1 })
        }
        let (before, after) = (digests(edit.before), digests(edit.after))
        return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    }
}
