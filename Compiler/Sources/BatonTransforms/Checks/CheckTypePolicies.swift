import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let typePolicies = DocumentCheck(
        .refusal, "CheckTypePolicies", [.invalidTypePolicy],
        .written { CheckTypePolicies.check($0.program.schema) })
}

/// Checks `@typePolicy` in the schema, which names the fields of a type's key.
///
/// - The fields can be part of a key: servers know them, and their values are leaves.
/// - If two interfaces of a type name different fields, the type has a policy of its own.
/// - Apollo's policies for other fields are not supported.
///
/// Reference: https://www.apollographql.com/docs/ios/caching/cache-key-resolution
struct CheckTypePolicies {
    private var diagnostics: [Diagnostic] = []

    fileprivate static func check(_ schema: Schema) -> [Diagnostic] {
        var check = CheckTypePolicies()
        for type in schema.types { check.refuseOtherPolicies(of: type) }
        let policies = KeyPolicy.all(in: schema)
        for policy in policies { check.visit(policy, among: policies, in: schema) }
        return check.diagnostics
    }

    /// Reports a policy without fields, and the arguments of a policy that are not supported.
    private mutating func refuseOtherPolicies(of type: SchemaType) {
        guard let directive = type.directives.named("typePolicy") else { return }
        if directive.arguments.isEmpty {
            report("the policy of '\(type.name)' names no field", at: directive.name.span, "name the fields of its key")
        }
        for (name, advice) in [
            ("connectionFields", "write '@connection' at the field in documents"), ("embeddedFields", "leave it out"),
        ] {
            guard let value = directive.argument(name), !value.isNull else { continue }
            report("'@typePolicy(\(name):)' is not supported", at: value.span, advice)
        }
    }

    private mutating func visit(_ policy: KeyPolicy, among policies: [KeyPolicy], in schema: Schema) {
        if let (message, suggestion) = policy.mistake(in: schema) {
            return report(message, at: policy.span, suggestion)
        }
        for (type, other) in policy.contestedTypes(in: schema, among: policies) {
            let names = [policy.type.name, other.name].sorted().map { "'\($0)'" }.joined(separator: " and ")
            let suggestion = "write '@typePolicy' at '\(type.name)'"
            report("the key of '\(type.name)' is not certain: \(names) have others", at: type.span, suggestion)
        }
    }

    private mutating func report(_ message: String, at span: Span, _ suggestion: String?) {
        let diagnostic = Diagnostic(.invalidTypePolicy, message, at: span, suggestion: suggestion)
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
}
