import BatonIR
import BatonSchema
import BatonSyntax

/// The reaction to a required field without a value, from mild to severe.
package enum RequiredAction: String, Sendable, Comparable, CaseIterable {
    case none = "NONE"
    case log = "LOG"
    case `throw` = "THROW"

    /// The action that throws, too, and says that the field may be null for good reasons.
    static let throwOnSemanticNull = "DANGEROUSLY_THROW_ON_SEMANTICALLY_NULLABLE_FIELD"

    init?(_ directive: Directive) {
        guard case .enum(let name)? = directive.argument("action") else { return nil }
        self.init(rawValue: name.text == Self.throwOnSemanticNull ? RequiredAction.throw.rawValue : name.text)
    }

    package static func < (left: RequiredAction, right: RequiredAction) -> Bool {
        let order = allCases
        return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
    }
}

/// What takes the place of a value with errors.
package enum CatchTarget: String, Sendable {
    case result = "RESULT"
    case null = "NULL"
}

/// What `@required` and `@catch` say about a field.
package struct FieldNullability: Hashable, Sendable {
    package let required: RequiredAction?
    package let catches: CatchTarget?

    init(_ directives: [Directive]) {
        required = directives.named("required").flatMap(RequiredAction.init)
        catches = directives.catchTarget
    }
}

/// What `@catch` and `@throwOnFieldError` say about a whole operation or fragment.
package struct ErrorTreatment: Hashable, Sendable {
    package let catches: CatchTarget?
    package let throwsOnFieldError: Bool

    init(_ directives: [Directive] = []) {
        catches = directives.catchTarget
        // An error that is caught is not thrown.
        throwsOnFieldError = directives.named("throwOnFieldError") != nil && catches == nil
    }

    /// Whether errors are dealt with, so that `@semanticNonNull` counts.
    var isStrict: Bool { catches != nil || throwsOnFieldError }
}

extension [Directive] {
    fileprivate var catchTarget: CatchTarget? {
        guard let directive = named("catch") else { return nil }
        guard case .enum(let name)? = directive.argument("to") else { return .result }
        return CatchTarget(rawValue: name.text)
    }
}

extension SelectionPlan {
    /// Whether an object of the set becomes null because a required field has no value. `THROW` fails the whole read
    /// instead.
    var canLackRequired: Bool {
        items.contains { item in
            guard case .field(let field) = item, let action = field.nullability.required else { return false }
            return action != .throw && !field.type.isNonNull
        }
    }
}

extension SchemaField {
    /// The type without the nulls that only stand for errors, as `@semanticNonNull` and the type's
    /// `@semanticNonNullField` say.
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
