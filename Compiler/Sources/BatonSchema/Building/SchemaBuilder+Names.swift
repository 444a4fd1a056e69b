import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// A note with the place of a type's definition; none for predeclared types.
    func definedHere(_ type: TypeDraft) -> [Diagnostic.Note] {
        type.name.span.source == .predeclared ? [] : [.init("defined here", at: type.name.span)]
    }

    /// Resolves the type of a field or input value, and checks that it is an input or output type.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-and-Output-Types
    mutating func resolve(_ node: TypeNode, isInput: Bool, of owner: String) -> TypeReference? {
        let name = node.innermost
        guard let index = index(of: name, isInput: isInput) else { return nil }
        let kind = types[index].kind
        let fits = isInput ? kind == .scalar || kind == .enum || kind == .inputObject : kind != .inputObject
        if !fits {
            // A schema may define a type with the name of an enum of a predeclared directive. That directive then
            // ignores the type. A broken definition may be meant to be of another kind.
            if name.span.source == .predeclared || types[index].isBroken { return nil }
            report(
                isInput ? .notInputType : .notOutputType,
                "the type of '\(owner)' must be an \(isInput ? "input" : "output") type, '\(name.text)' is none",
                at: name.span,
                notes: definedHere(types[index])
            )
            return nil
        }
        guard let reference = reference(node, named: TypeID(index)) else {
            report(
                .typeNesting,
                "the type of '\(owner)' has more than \(TypeReference.maximumDepth) lists and exclamation marks",
                at: node.span
            )
            return nil
        }
        return reference
    }

    private func reference(_ node: TypeNode, named id: TypeID) -> TypeReference? {
        switch node {
        case .named: TypeReference(id)
        case .list(let item, _): reference(item, named: id)?.listed
        case .nonNull(let inner, _): reference(inner, named: id)?.required
        }
    }

    /// The type of a name. An unknown name is reported. A service's scalar that needs no declaration is defined by its
    /// first use.
    private mutating func index(of name: Name, isInput: Bool) -> Int? {
        if let index = typeIndex[name.text] { return index }
        guard Predeclared.appSyncScalars.contains(name.text) else {
            reportUnknownType(name) { kind in
                isInput ? kind == .scalar || kind == .enum || kind == .inputObject : kind != .inputObject
            }
            return nil
        }
        typeIndex[name.text] = types.count
        types.append(TypeDraft(scalar: name.text))
        return types.count - 1
    }

    mutating func reportUnknownType(_ name: Name, among isMeant: (SchemaType.Kind) -> Bool) {
        let meant = suggestions(for: name.text) { isMeant($0.kind) && !$0.name.text.hasPrefix("__") }
        report(.unknown(.unknownType, "unknown type '\(name.text)'", name, meant: meant))
    }

    /// The most similar names of types. In a schema with thousands of mistakes, only the first mistakes get
    /// suggestions.
    mutating func suggestions(for name: String, among isMeant: (TypeDraft) -> Bool) -> [String] {
        guard comparedNames < 1_000_000 else { return [] }
        let candidates = types.filter(isMeant).map(\.name.text)
        comparedNames += candidates.count
        return Spelling.suggestions(for: name, among: candidates)
    }

    /// Resolves the interfaces of a type or the members of a union.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Unions
    mutating func resolve(
        _ names: [Name],
        _ kind: SchemaType.Kind,
        _ duplicate: DiagnosticID,
        _ invalid: DiagnosticID,
        of draft: TypeDraft
    ) -> [NamedType] {
        let role = kind == .interface ? "interface" : "member"
        var found: [NamedType] = []
        var seen: [String: Span] = [:]
        for name in names {
            if let first = seen[name.text] {
                report(
                    duplicate,
                    "\(role) '\(name.text)' of '\(draft.name.text)' is named twice",
                    at: name.span,
                    notes: [.init("first named here", at: first)]
                )
                continue
            }
            seen[name.text] = name.span
            guard let index = typeIndex[name.text] else {
                reportUnknownType(name) { $0 == kind }
                continue
            }
            guard types[index].kind == kind else {
                if types[index].isBroken { continue }
                let expected = kind == .interface ? "an interface" : "an object type"
                report(
                    invalid,
                    "'\(name.text)' is not \(expected)",
                    at: name.span,
                    notes: definedHere(types[index])
                )
                continue
            }
            found.append(NamedType(id: TypeID(index), span: name.span))
        }
        return found
    }
}
