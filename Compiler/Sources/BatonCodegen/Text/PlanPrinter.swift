import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// Prints selection plans in the text form that the runtime decodes; proposal 0001 has the grammar.
package struct PlanPrinter {
    private let schema: Schema
    private let mappedScalars: Set<String>
    private var typeNames: [TypeID: String] = [:]

    package init(schema: Schema, mappedScalars: Set<String>) {
        self.schema = schema
        self.mappedScalars = mappedScalars
    }

    /// `plan = [ "(" variable { "," variable } ")" ] { mark } selections`
    package mutating func print(_ plan: SelectionPlan, variables: [OperationVariable] = []) -> String {
        print(plan, head: variables.map { ($0.name, $0.defaultValue) })
    }

    package mutating func print(_ plan: SelectionPlan, arguments: [FragmentArgument]) -> String {
        print(plan, head: arguments.filter { $0.provider == nil }.map { ($0.name, $0.defaultValue) })
    }

    private mutating func print(_ plan: SelectionPlan, head: [(name: String, defaultValue: Value?)]) -> String {
        var output = ""
        if !head.isEmpty {
            let items = head.map { $0.name + ($0.defaultValue.map { "=" + ValueText.plan($0) } ?? "") }
            output += "(" + items.joined(separator: ",") + ")"
        }
        mark(maxAge: plan.maxAge, into: &output)
        if let target = plan.errors.catches { output += "@catch(\(target.rawValue))" }
        if plan.errors.throwsOnFieldError { output += "@throwOnFieldError" }
        selections(plan, into: &output)
        return output
    }

    private mutating func selections(_ plan: SelectionPlan, into output: inout String) {
        output += "{"
        for (index, item) in plan.items.enumerated() {
            if index > 0 { output += " " }
            switch item {
            case .field(let field): self.field(field, into: &output)
            case .inline(let inline):
                condition(inline.condition, into: &output)
                output += "<" + Self.conditionName(inline.type) + ">"
                selections(inline.selections, into: &output)
            case .spread(let spread):
                condition(spread.condition, into: &output)
                output += "~" + spread.fragment
                arguments(spread.arguments, into: &output)
                if let type = spread.typeCondition { output += "<" + Self.conditionName(type) + ">" }
            }
        }
        output += "}"
    }

    private mutating func field(_ field: SelectionPlan.Field, into output: inout String) {
        condition(field.condition, into: &output)
        output += field.responseKey
        if field.responseKey != field.definition.name { output += "=" + field.definition.name }
        arguments(field.arguments, into: &output)
        output += ":" + field.type.description(naming: named(schema.namedType(of: field.type)))
        mark(maxAge: field.maxAge, into: &output)
        if let handle = field.handle { mark(handle, into: &output) }
        if let action = field.nullability.required { output += "@required(\(action.rawValue))" }
        if let target = field.nullability.catches { output += "@catch(\(target.rawValue))" }
        if field.isClient { output += "@client" }
        if let inner = field.selections { selections(inner, into: &output) }
    }

    /// `arguments = "(" NAME ":" value { "," NAME ":" value } ")"`, sorted by name
    private func arguments(_ arguments: [Argument], into output: inout String) {
        if arguments.isEmpty { return }
        let sorted = arguments.sorted { $0.name.text < $1.name.text }
        let texts = sorted.map { $0.name.text + ":" + ValueText.plan($0.value) }
        output += "(" + texts.joined(separator: ",") + ")"
    }

    /// `mark = "@maxAge(" seconds ")"`
    private func mark(maxAge: Int?, into output: inout String) {
        if let maxAge { output += "@maxAge(\(maxAge))" }
    }

    /// `mark = "@connection(" string { "," NAME } ")" | "@handle(" string "," string { "," NAME } ")"`
    private func mark(_ handle: FieldHandle, into output: inout String) {
        let isConnection = handle.handler == "connection"
        output += isConnection ? "@connection(" : "@handle(" + handle.handler.quoted(in: .request) + ","
        output += handle.key.quoted(in: .request) + handle.filters.map { "," + $0 }.joined() + ")"
    }

    private func condition(_ condition: Condition, into output: inout String) {
        if condition.isAlways { return }
        let conjunctions = condition.alternatives.map { conjunction in
            conjunction.literals.map { ($0.isNegated ? "!" : "") + $0.variable }.joined(separator: "&")
        }
        output += "[" + conjunctions.joined(separator: "|") + "]"
    }

    private static func conditionName(_ type: SchemaType) -> String {
        (type.isAbstract ? "*" : "") + type.name
    }

    private mutating func named(_ type: SchemaType) -> String {
        if let known = typeNames[type.id] { return known }
        let name = makeName(of: type)
        typeNames[type.id] = name
        return name
    }

    private func makeName(of type: SchemaType) -> String {
        switch type.kind {
        case .enum: return "#" + type.name
        case .scalar:
            if ScalarMapping.builtIn[type.name] != nil { return type.name }
            return (mappedScalars.contains(type.name) ? "@" : "%") + type.name
        case .object:
            guard let node = schema.nodeInterface, schema.implements(type, node) else { return type.name }
            return "+" + type.name
        case .interface, .union:
            guard let node = schema.nodeInterface else { return "*" + type.name }
            let objects = schema.possibleTypes(of: type)
            let nodes = objects.filter { schema.implements($0, node) }
            if nodes.isEmpty { return "*" + type.name }
            if nodes.count == objects.count { return "+*" + type.name }
            return "*" + type.name + nodes.map { "+" + $0.name }.joined()
        case .inputObject: return type.name
        }
    }
}
