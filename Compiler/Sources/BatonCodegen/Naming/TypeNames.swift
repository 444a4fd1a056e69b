import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// The Swift names of everything at the top level.
package struct TypeNames: Sendable {
    private var operations: [String: String] = [:]
    private var fragments: [String: String] = [:]
    private var types: [TypeID: String] = [:]
    package private(set) var diagnostics: [Diagnostic] = []

    /// Names fragments first, then operations, enums and input objects, each in alphabetical order, so that the order of files
    /// does not matter. A file is named after the type, so names that differ in case alone collide too.
    package init(program: Program, used: UsedTypes) {
        var scope = NameScope(reserved: ReservedNames.topLevel, ignoresCase: true)
        for fragment in program.fragments.sorted(by: { $0.name < $1.name }) {
            fragments[fragment.name] = claim(SwiftName.uppercasingFirst(fragment.name), &scope, fragment.span)
        }
        for operation in program.operations.sorted(by: { $0.name < $1.name }) {
            operations[operation.name] = claim(Self.typeName(of: operation), &scope, operation.span)
        }
        for type in (used.enums + used.inputObjects).sorted(by: { $0.name < $1.name }) {
            types[type.id] = claim(SwiftName.uppercasingFirst(type.name), &scope, type.span)
        }
    }

    /// `HeroNameQuery` for `query heroName`, `HeroQuery` for `query HeroQuery`.
    package static func typeName(of operation: Operation) -> String {
        let suffix = SwiftName.uppercasingFirst(operation.kind.rawValue)
        let name = SwiftName.uppercasingFirst(operation.name)
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    package func operation(_ name: String) -> String { operations[name] ?? name }
    package func fragment(_ name: String) -> String { fragments[name] ?? name }
    /// The Swift name of an enum or input object.
    package func type(_ type: SchemaType) -> String { types[type.id] ?? type.name }

    private mutating func claim(_ wanted: String, _ scope: inout NameScope, _ span: Span) -> String {
        let name = scope.claim(wanted)
        if name != wanted {
            let message = "the Swift type name '\(wanted)' is taken; the type is called '\(name)'"
            diagnostics.append(Diagnostic(.renamedType, severity: .warning, message, at: span))
        }
        return name
    }
}
