import BatonIR
import BatonSchema
import BatonSyntax

/// The effects of `@required` and `@catch` on a field.
package struct FieldNullability: Hashable, Sendable {
    package let required: RequiredAction?
    package let catches: CatchTarget?

    init(_ directives: [Directive]) {
        required = directives.named("required").flatMap(RequiredAction.init)
        catches = directives.catchTarget
    }
}

extension SchemaField {
    /// The type without the nulls that only stand for errors, by `@semanticNonNull` and the type's
    /// `@semanticNonNullField`.
    ///
    /// Reference: https://relay.dev/docs/guides/semantic-nullability/
    func semanticType(on parent: SchemaType) -> TypeReference {
        let own = directives.named("semanticNonNull")
        let directive =
            own
            ?? parent.directives.first { directive in
                guard directive.name.text == "semanticNonNullField",
                    case .string(let field)? = directive.argument("name")
                else { return false }
                return field.text == name
            }
        guard let directive else { return type }
        var levels: Set<Int> = [0]
        if case .list(let list)? = directive.argument("levels") {
            levels = Set(
                list.values.compactMap { value in
                    if case .int(let number) = value { Int(number.text) } else { nil }
                })
        }
        return type.required(at: levels, level: 0)
    }
}

extension TypeReference {
    /// The type with a nullable named type inside its lists.
    var nullableInside: TypeReference {
        guard let item else { return nullable }
        let list = item.nullableInside.listed
        return (isNonNull ? list?.required : list) ?? self
    }

    /// The type with non-null marks at levels: 0 is the type itself, 1 the items of the list, and so on.
    fileprivate func required(at levels: Set<Int>, level: Int) -> TypeReference {
        var result = self
        if let item {
            let inner = item.required(at: levels, level: level + 1)
            result = (isNonNull ? inner.listed?.required : inner.listed) ?? self
        }
        return levels.contains(level) ? result.required ?? result : result
    }
}
