import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSyntax

/// A trial of a rename, before anybody makes its changes: the project is judged with the changed texts, and what it
/// would send is compared with what it sends.
///
/// The trial finds what breaks for any reason. It costs two judgements, and the texts and the Swift of the definitions
/// that the changed files reach.
package struct RenameTrial {
    /// What a rename changes of what is sent.
    package struct Change: Sendable {
        /// The old and the new name of an operation.
        package var operation: (old: String, new: String)?
        /// The operation, by its old name, and the old and new names of one of its variables.
        package var variable: (operation: String, old: String, new: String)?
        /// The old and the new name of a field in responses.
        package var key: (old: String, new: String)?

        package init() {}
    }

    /// Why a rename must not be made, in the words of a sentence that follows its place.
    package struct Objection: Hashable, Sendable {
        package let message: String
        package let place: KeptDiagnostic.Place
    }

    private let before: ProjectView
    private let after: ProjectView
    private let diagnostics: [KeptDiagnostic]
    private let rest: ProjectJudge.Rest?
    private let edited: Set<AbsolutePath>
    private let names: (old: String, new: String)

    /// Judges a project with changed texts. `view` is the judgement of the texts that count now, `overlays` are those
    /// that are not saved.
    package init(
        _ judge: ProjectJudge, _ view: ProjectView, overlays: [AbsolutePath: [UInt8]],
        edited texts: [AbsolutePath: [UInt8]], from old: String, to new: String
    ) {
        var judge = judge
        let judgement = judge.judge(overlays: overlays.merging(texts) { $1 }, looksForFiles: false)
        before = view
        after = judgement.view
        diagnostics = judgement.diagnostics
        rest = judgement.rest
        edited = Set(texts.keys)
        names = (old, new)
    }

    /// What speaks against the rename; nil if the project means the same after it.
    package func objection(to change: Change) -> Objection? {
        let known = before.compiler.diagnostics.map { KeptDiagnostic($0, in: before.compiler) }
        if let new = firstNew(diagnostics.filter(\.isError), known.filter(\.isError)) { return new }
        guard let old = before.compilation, let new = after.compilation, !before.compiler.hasErrors else { return nil }
        // Relay's rules have found the mistakes of before as well; they are only looked at if there are any after.
        if let late = rest?.judge().diagnostics.filter(\.isError), !late.isEmpty {
            let earlier = ProjectJudge.Rest(before)?.judge().diagnostics.filter(\.isError) ?? []
            if let new = firstNew(late, earlier) { return new }
            return nil
        }
        return changedName(old, new) ?? changedText(old, new, change)
    }

    // MARK: - Diagnostics

    /// The first diagnostic that others do not have, in which the two names count as one.
    private func firstNew(_ found: [KeptDiagnostic], _ known: [KeptDiagnostic]) -> Objection? {
        func key(_ kept: KeptDiagnostic) -> String {
            "\(kept.place.path?.description ?? "") \(kept.id) "
                + kept.message.replacing(names.old, with: names.new)
        }
        var counts: [String: Int] = [:]
        for kept in known { counts[key(kept), default: 0] += 1 }
        for kept in found {
            counts[key(kept), default: 0] -= 1
            if counts[key(kept), default: 0] < 0 {
                return Objection(message: kept.message, place: kept.place)
            }
        }
        return nil
    }

    // MARK: - What is generated

    /// The definitions in changed files, and those that reach them.
    private func reached(in view: ProjectView) -> (operations: Set<String>, fragments: Set<String>, queries: [String]) {
        let all = view.index.all
        var users: [String: [DefinitionIndex.Entry]] = [:]
        for entry in all { for name in entry.spreads { users[name, default: []].append(entry) } }
        var operations: Set<String> = []
        var fragments: Set<String> = []
        var pending = all.filter { edited.contains($0.path) }
        while let entry = pending.popLast() {
            if !entry.isFragment {
                operations.insert(entry.name)
            } else if fragments.insert(entry.name).inserted {
                pending += users[entry.name] ?? []
            }
        }
        let queries = view.refetchQueries.filter { fragments.contains($0.fragment) }.map(\.query)
        return (operations, fragments, queries)
    }

    /// A name of Swift that is taken, so that something gets another one.
    private func changedName(_ old: Compilation, _ new: Compilation) -> Objection? {
        func renamed(_ view: ProjectView, _ compilation: Compilation) -> [KeptDiagnostic] {
            guard let configuration = view.configuration else { return [] }
            let entries = view.index.all.filter { edited.contains($0.path) }
            let wanted = DefinitionNames(
                operations: Set(entries.filter { !$0.isFragment }.map(\.name)),
                fragments: Set(entries.filter(\.isFragment).map(\.name)))
            let part = Compilation.Part(wanted: wanted, standing: StandingDefinitions())
            let found = compilation.generate(Compiler.options(configuration), part: part).diagnostics
            return found.filter { $0.severity == .error || [.renamedType, .renamedMember].contains($0.id) }
                .map { KeptDiagnostic($0, in: view.compiler) }
        }
        let found = renamed(after, new)
        return found.isEmpty ? nil : firstNew(found, renamed(before, old))
    }

    // MARK: - What is sent

    private func changedText(_ old: Compilation, _ new: Compilation, _ change: Change) -> Objection? {
        func texts(_ view: ProjectView, _ compilation: Compilation) -> [String: String] {
            let (operations, _, queries) = reached(in: view)
            let texts = compilation.operationTexts(named: operations.union(queries)).texts
            return Dictionary(texts.map { ($0.name, $0.text) }) { first, _ in first }
        }
        let (sent, wouldBeSent) = (texts(before, old), texts(after, new))
        func key(_ name: String) -> String { change.key.map { name == $0.old ? $0.new : name } ?? name }
        for (name, text) in sent.sorted(by: { $0.key < $1.key }) {
            let newName = change.operation?.old == name ? change.operation?.new ?? name : name
            let variable = change.variable.flatMap { $0.operation == name ? $0 : nil }
            let shape = SentShape(
                text, variable: { used in variable.map { used == $0.old ? $0.new : used } ?? used }, key: key)
            let other = wouldBeSent[newName].map { SentShape($0, variable: { $0 }, key: key) }
            if shape != other {
                return Objection(
                    message: "the operation '\(name)' would not ask the same any more", place: place(of: name))
            }
        }
        return nil
    }

    private func place(of operation: String) -> KeptDiagnostic.Place {
        if let entry = before.index.operations[operation] {
            return .init(
                path: entry.path, start: UInt32(entry.nameRange.lowerBound), end: UInt32(entry.nameRange.upperBound))
        }
        guard let query = before.refetchQueries.first(where: { $0.query == operation }),
            let place = before.place(of: query.span)
        else { return .init(path: nil, start: 0, end: 0) }
        return .init(path: place.path, start: UInt32(place.range.lowerBound), end: UInt32(place.range.upperBound))
    }
}
