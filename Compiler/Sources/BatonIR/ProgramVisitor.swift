import BatonSyntax

/// A check of a program that looks at one selection at a time.
///
/// The definitions come in document order, operations first. A selection comes after its directives, and before the
/// selections below it. A check that depends on the surroundings of a selection has a walk of its own.
package protocol ProgramVisitor {
    mutating func visit(_ operation: Operation)
    mutating func visit(_ fragment: Fragment)
    /// Visits the directives of a definition, a variable or a selection. The method is not called for an empty list.
    mutating func visit(_ directives: [Directive])
    mutating func visit(_ field: TypedField)
}

extension ProgramVisitor {
    package mutating func visit(_ operation: Operation) {}
    package mutating func visit(_ fragment: Fragment) {}
    package mutating func visit(_ directives: [Directive]) {}
    package mutating func visit(_ field: TypedField) {}

    package mutating func walk(_ program: Program) {
        for operation in program.operations {
            visit(operation)
            visitAny(operation.directives)
            for variable in operation.variables { visitAny(variable.directives) }
            walk(operation.selections)
        }
        for fragment in program.fragments {
            visit(fragment)
            visitAny(fragment.directives)
            walk(fragment.selections)
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func walk(_ selections: [TypedSelection]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                visitAny(field.directives)
                visit(field)
                walk(field.selections)
            case .inlineFragment(let inline):
                visitAny(inline.directives)
                walk(inline.selections)
            case .spread(let spread): visitAny(spread.directives)
            }
        }
    }

    private mutating func visitAny(_ directives: [Directive]) {
        if !directives.isEmpty { visit(directives) }
    }
}

extension TypedSelection {
    /// Whether a field of the selections, at any depth, meets the condition. The parser's nesting limit bounds the
    /// recursion.
    package static func hasField(in selections: [TypedSelection], where isMet: (TypedField) -> Bool) -> Bool {
        selections.contains { selection in
            switch selection {
            case .field(let field): isMet(field) || hasField(in: field.selections, where: isMet)
            case .inlineFragment(let inline): hasField(in: inline.selections, where: isMet)
            case .spread: false
            }
        }
    }

    /// Whether a spread of the selections, at any depth, meets the condition. The parser's nesting limit bounds the
    /// recursion.
    package static func hasSpread(in selections: [TypedSelection], where isMet: (TypedSpread) -> Bool) -> Bool {
        selections.contains { selection in
            switch selection {
            case .field(let field): hasSpread(in: field.selections, where: isMet)
            case .inlineFragment(let inline): hasSpread(in: inline.selections, where: isMet)
            case .spread(let spread): isMet(spread)
            }
        }
    }
}
