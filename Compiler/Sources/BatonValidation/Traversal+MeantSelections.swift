import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Finds fragments that the parser read as other selections, because of a misspelled word or missing dots. Each is
/// reported and visited as the intended fragment, so that it causes no further errors.
extension Traversal {
    /// The selections of a set. If two selections were parsed from `...onn Dog { id }` or `on Dog { id }`, an inline
    /// fragment replaces them.
    func meantSelections(of selectionSet: SelectionSet, on parent: SchemaType?) -> [Selection] {
        let selections = selectionSet.selections
        guard selections.contains(where: mayMeanOn) else { return selections }
        var meant: [Selection] = []
        for (index, selection) in selections.enumerated() {
            if index > 0, let fragment = inlineFragment(meantBy: selections[index - 1], selection, on: parent) {
                meant[meant.count - 1] = .inlineFragment(fragment)
            } else {
                meant.append(selection)
            }
        }
        return meant
    }

    private func mayMeanOn(_ selection: Selection) -> Bool {
        switch selection {
        case .field(let field):
            return field.name.text == "on" && field.alias == nil && field.arguments.isEmpty
                && field.directives.isEmpty && field.selectionSet == nil
        case .fragmentSpread(let spread):
            return spread.name.text.utf8.count <= 3 && spread.directives.isEmpty
                && definitions.fragmentIndex[spread.name.text] == nil
                && !Spelling.suggestions(for: spread.name.text, among: ["on"]).isEmpty
        case .inlineFragment: return false
        }
    }

    /// The inline fragment that two selections mean; the second one is a field with the name of a type.
    private func inlineFragment(
        meantBy selection: Selection,
        _ next: Selection,
        on parent: SchemaType?
    ) -> InlineFragment? {
        guard mayMeanOn(selection), case .field(let field) = next, let selectionSet = field.selectionSet,
            field.alias == nil, field.arguments.isEmpty,
            schema.type(named: field.name.text)?.isComposite == true
        else { return nil }
        if let parent, schema.field(named: field.name.text, on: parent) != nil { return nil }
        let question = "did you mean '... on \(field.name.text)'?"
        switch selection {
        case .field(let on):
            guard let parent, schema.field(named: on.name.text, on: parent) == nil else { return nil }
            report(
                .unknownField,
                "unknown field 'on' on type '\(parent.name)'",
                at: on.name.span,
                suggestion: question,
                fix: Diagnostic.Fix("... on", at: on.name.span)
            )
        case .fragmentSpread(let spread):
            report(
                .unknownFragment,
                "unknown fragment '\(spread.name.text)'",
                at: spread.name.span,
                suggestion: question,
                fix: Diagnostic.Fix("on", at: spread.name.span)
            )
        case .inlineFragment: return nil
        }
        return InlineFragment(
            typeCondition: field.name,
            directives: field.directives,
            selectionSet: selectionSet,
            span: selection.span.joined(with: field.span)
        )
    }

    /// The spread that an unknown field means; the field has the name of a fragment.
    func spread(meantBy field: Field, on parent: SchemaType) -> FragmentSpread? {
        guard field.alias == nil, field.arguments.isEmpty, field.selectionSet == nil,
            definitions.fragmentIndex[field.name.text] != nil
        else { return nil }
        report(
            .unknownField,
            "unknown field '\(field.name.text)' on type '\(parent.name)'",
            at: field.name.span,
            suggestion: "did you mean '...\(field.name.text)'?",
            fix: Diagnostic.Fix("...\(field.name.text)", at: field.name.span)
        )
        return FragmentSpread(name: field.name, directives: field.directives, span: field.span)
    }
}
