import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// A name in a file of the schema, and the type, field or value that it stands for.
struct SchemaName {
    let view: ProjectView
    let schema: Schema
    let occurrence: Occurrence
    /// The type that has the field.
    let owner: SchemaType?
    let range: TextRange

    /// The name at the place of a request; nil if the file is not part of a schema, or if there is no name.
    static func at(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> SchemaName? {
        let (path, lines) = try server.file(input)
        let served = server.projects.values.sorted { $0.configuration < $1.configuration }
        guard let view = served.first(where: { $0.view.hasSchema(in: path) })?.view, let schema = view.schema else {
            return nil
        }
        let offset = lines.offset(of: try input.position())
        let source = SourceFile(id: SourceID(index: 1), path: path.description, bytes: lines.bytes)
        let (document, _) = Parser.parseDocument(source, limits: view.compiler.limits)
        var search = Search(schema: schema, offset: offset)
        for definition in document.definitions { search.visit(definition) }
        guard let found = search.found else { return nil }
        return SchemaName(
            view: view, schema: schema, occurrence: found.occurrence, owner: found.owner,
            range: lines.range(of: Int(found.span.start)..<Int(found.span.end)))
    }

    private struct Search {
        let schema: Schema
        let offset: Int
        var found: (occurrence: Occurrence, owner: SchemaType?, span: Span)?

        private func has(_ span: Span) -> Bool { Int(span.start) <= offset && offset <= Int(span.end) }

        private mutating func note(_ name: Name, _ occurrence: Occurrence?, on owner: SchemaType? = nil) {
            guard let occurrence, found == nil, has(name.span) else { return }
            found = (occurrence, owner, name.span)
        }

        mutating func visit(_ definition: Definition) {
            switch definition {
            case .type(let type):
                guard has(type.span) else { return }
                visit(type)
            case .schema(let definition):
                for root in definition.operationTypes { visit(type: root.type) }
                visit(definition.directives)
            case .directive(let directive):
                guard has(directive.span) else { return }
                let known = schema.directive(named: directive.name.text)
                note(directive.name, known.map(Occurrence.directive))
                for argument in directive.arguments {
                    visit(argument, known?.argument(named: argument.name.text))
                }
                visit(directive.directives)
            case .operation, .fragment: break
            }
        }

        private mutating func visit(_ definition: TypeDefinition) {
            visit(type: definition.name)
            visit(definition.directives)
            let type = schema.type(named: definition.name.text)
            switch definition.body {
            case .scalar: break
            case .object(let interfaces, let fields), .interface(let interfaces, let fields):
                for name in interfaces { visit(type: name) }
                for field in fields where has(field.span) { visit(field, type) }
            case .union(let members):
                for name in members { visit(type: name) }
            case .enum(let values):
                for value in values where has(value.span) {
                    note(value.name, type.map { .enumValue(value.name.text, $0) })
                    visit(value.directives)
                }
            case .inputObject(let fields):
                for field in fields where has(field.span) { visit(field, type?.inputField(named: field.name.text)) }
            }
        }

        private mutating func visit(_ field: FieldDefinition, _ type: SchemaType?) {
            let known = type?.field(named: field.name.text)
            note(field.name, known.map(Occurrence.field), on: type)
            for argument in field.arguments where has(argument.span) {
                visit(argument, known?.argument(named: argument.name.text))
            }
            visit(type: field.type.innermost)
            visit(field.directives)
        }

        private mutating func visit(_ value: InputValueDefinition, _ known: SchemaInputValue?) {
            note(value.name, known.map(Occurrence.input))
            visit(type: value.type.innermost)
            if case .enum(let name)? = value.defaultValue, let known {
                note(name, .enumValue(name.text, schema.namedType(of: known.type)))
            }
            visit(value.directives)
        }

        private mutating func visit(type name: Name) {
            guard has(name.span) else { return }
            note(name, schema.type(named: name.text).map(Occurrence.type))
        }

        private mutating func visit(_ directives: [Directive]) {
            for directive in directives where has(directive.span) {
                let known =
                    schema.definitionDirectives[directive.name.text] ?? schema.directive(named: directive.name.text)
                note(directive.name, known.map(Occurrence.directive))
                for argument in directive.arguments {
                    note(argument.name, known?.argument(named: argument.name.text).map(Occurrence.input))
                }
            }
        }
    }
}
