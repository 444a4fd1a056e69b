import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// An object or interface has what the interfaces that it names promise.
    ///
    /// A field or interface that is not there is an error. Real schemas break the covariance of types and arguments,
    /// which harms no client, so that is a warning.
    ///
    /// Specification: https://spec.graphql.org/September2025/#IsValidImplementation()
    mutating func checkInterfaces(of type: SchemaType, in schema: Schema) {
        for id in type.interfaces {
            let interface = schema[id]
            if interface === type {
                diagnostics.append(
                    Diagnostic(.interfaceCycle, "interface '\(type.name)' cannot implement itself", at: type.span)
                )
                continue
            }
            checkImplied(by: interface, of: type, in: schema)
            for promised in interface.fields {
                guard let field = type.field(named: promised.name) else {
                    diagnostics.append(
                        Diagnostic(
                            .missingInterfaceField,
                            "type '\(type.name)' lacks field '\(promised.name)' of interface '\(interface.name)'",
                            at: type.span,
                            notes: [.init("declared here", at: promised.span)]
                        )
                    )
                    continue
                }
                checkField(field, promised, of: interface, in: schema)
            }
        }
    }

    /// The interfaces that an interface implements are named by all that implement it; two cannot imply each other.
    private mutating func checkImplied(by interface: SchemaType, of type: SchemaType, in schema: Schema) {
        for id in interface.interfaces where !type.interfaces.contains(id) {
            let implied = schema[id]
            diagnostics.append(
                implied === type
                    ? Diagnostic(
                        .interfaceCycle,
                        "interfaces '\(type.name)' and '\(interface.name)' cannot implement each other",
                        at: type.span
                    )
                    : Diagnostic(
                        .missingInterface,
                        "type '\(type.name)' must also implement '\(implied.name)', as '\(interface.name)' does",
                        at: type.span,
                        suggestion: "write 'implements \(interface.name) & \(implied.name)'"
                    )
            )
        }
    }

    private mutating func checkField(
        _ field: SchemaField,
        _ promised: SchemaField,
        of interface: SchemaType,
        in schema: Schema
    ) {
        if !schema.isSubtype(field.type, of: promised.type) {
            warn(
                "the type '\(schema.describe(field.type))' of '\(field.name)' is not "
                    + "'\(schema.describe(promised.type))', as in interface '\(interface.name)'",
                at: field.span,
                declaredAt: promised.span
            )
        }
        for argument in promised.arguments {
            let own = field.argument(named: argument.name)
            if own?.type == argument.type { continue }
            warn(
                "'\(field.name)' lacks argument '\(argument.name)' of type '\(schema.describe(argument.type))', "
                    + "as in interface '\(interface.name)'",
                at: own?.span ?? field.span,
                declaredAt: argument.span
            )
        }
        for argument in field.arguments where argument.isRequired && promised.argument(named: argument.name) == nil {
            warn(
                "argument '\(argument.name)' of '\(field.name)' is required, but not in interface '\(interface.name)'",
                at: argument.span,
                declaredAt: promised.span
            )
        }
    }

    private mutating func warn(_ message: String, at span: Span, declaredAt: Span) {
        diagnostics.append(
            Diagnostic(
                .interfaceMismatch,
                severity: .warning,
                message,
                at: span,
                notes: [.init("declared here", at: declaredAt)]
            )
        )
    }
}
