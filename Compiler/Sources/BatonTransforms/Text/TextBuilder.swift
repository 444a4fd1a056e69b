import BatonIR
import BatonSchema
import BatonSyntax

/// Turns selections into those of a text: without fields that the server does not know, and with `__typename` for
/// readers of the answer.
///
/// Before, where `Named` is an interface, `note` is a client field, and `hero` is of type `Character`:
///
///     { hero @include(if: $a) { note @required(action: LOG) ... on Named { name } } }
///
/// After, with conditions in brackets:
///
///     { [$a] { hero { __typename ... on Named { __isNamed: __typename name } } } }
///
/// - Conditions become selections of their own. Of several conditions on one selection, the one with the last variable
///   in the order of the alphabet is the outermost one.
/// - A field of an abstract type begins with `__typename`. A fragment on an abstract type `X`, or without a type in a
///   set of type `X`, begins with `__isX`, from which the store learns that an object is an `X`.
///
/// Runs after `MarkClientSelections`. `FlattenText` follows. The parser's nesting limit bounds the recursions.
struct TextBuilder {
    let schema: Schema

    func fragment(_ fragment: Fragment) -> [TextSelection] {
        return discriminator(fragment.type) + selections(fragment.selections, on: fragment.type)
    }

    func selections(_ selections: [TypedSelection], on type: SchemaType) -> [TextSelection] {
        selections.flatMap { selection -> [TextSelection] in
            switch selection {
            case .field(let field):
                if field.isClient { return [] }
                return under(field.directives) { .field(self.field(field, sending: $0)) }
            case .inlineFragment(let inline):
                if inline.isClient { return [] }
                return under(inline.directives) { .inlineFragment(inlineFragment(inline, on: type, sending: $0)) }
            case .spread(let spread):
                if spread.isClient { return [] }
                return under(spread.directives) {
                    .spread(.init(fragment: spread.fragment, directives: $0, span: spread.span))
                }
            }
        }
    }

    private func field(_ field: TypedField, sending directives: [Directive]) -> TextSelection.Field {
        let type = schema.namedType(of: field.definition.type)
        var children: [TextSelection] = []
        if type.isComposite {
            children = selections(field.selections, on: type)
            let hasTypename = children.contains { child in
                if case .field(let child) = child { child.responseKey == "__typename" } else { false }
            }
            if type.isAbstract, !hasTypename, !type.isClientOnly {
                children = TextSelection.typename(on: type, schema) + children
            }
        }
        return TextSelection.Field(
            responseKey: field.responseKey, definition: field.definition, arguments: field.arguments,
            directives: directives, selections: children, span: field.span)
    }

    private func inlineFragment(
        _ inline: TypedInlineFragment, on parent: SchemaType, sending directives: [Directive]
    ) -> TextSelection.InlineFragment {
        let type = inline.type ?? parent
        let isDeferred = directives.named("defer") != nil
        let head = inline.type == nil && isDeferred ? [] : discriminator(type)
        return TextSelection.InlineFragment(
            type: inline.type, directives: directives, selections: head + selections(inline.selections, on: type),
            span: inline.span)
    }

    private func discriminator(_ type: SchemaType) -> [TextSelection] {
        guard type.isAbstract, !type.isClientOnly else { return [] }
        return TextSelection.typename("__is" + type.name, on: type, schema)
    }

    /// Puts a selection under the conditions among its directives. `SkipUnreachable` has removed selections that never
    /// apply.
    private func under(
        _ directives: [Directive], _ selection: ([Directive]) -> TextSelection
    ) -> [TextSelection] {
        if directives.isEmpty { return [selection([])] }
        var conditions: [(variable: String, isSkip: Bool)] = []
        for directive in directives {
            let isSkip = directive.name.text == "skip"
            guard isSkip || directive.name.text == "include" else { continue }
            if case .variable(let variable)? = directive.argument("if") { conditions.append((variable.name, isSkip)) }
        }
        var result = selection(directives.filter(schema.sends))
        conditions.sort { $0.variable < $1.variable }
        for condition in conditions {
            result = .condition(
                .init(variable: condition.variable, isSkip: condition.isSkip, selections: [result]))
        }
        return [result]
    }
}
