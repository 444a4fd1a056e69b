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
        mark(plan.keys, into: &output)
        mark(plan.clientTypes, into: &output)
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
                let type = inline.hasTypeCondition ? Self.conditionName(inline.type) : inline.isRequired ? "!" : ""
                output += "<" + type + ">"
                mark(inline.deferral, "defer", into: &output)
                if let target = inline.catches { output += "@catch(\(target.rawValue))" }
                if inline.isClient { output += "@client" }
                selections(inline.selections, into: &output)
            case .spread(let spread):
                condition(spread.condition, into: &output)
                output += "~" + spread.fragment
                arguments(spread.arguments, into: &output)
                if let type = spread.typeCondition { output += "<" + Self.conditionName(type) + ">" }
                mark(spread.deferral, "defer", into: &output)
                if spread.isClient { output += "@client" }
            }
        }
        output += "}"
    }

    private mutating func field(_ field: SelectionPlan.Field, into output: inout String) {
        condition(field.condition, into: &output)
        output += field.responseKey
        if field.responseKey != field.definition.name { output += "=" + field.definition.name }
        arguments(field.arguments, into: &output)
        // The data ID is text, whatever the mapping of `ID`.
        let type = field.definition.isDataID ? "ID" : named(schema.namedType(of: field.type))
        output += ":" + field.type.description(naming: type)
        mark(maxAge: field.maxAge, into: &output)
        if let handle = field.handle { mark(handle, into: &output) }
        if let mutation = field.mutation { mark(mutation, into: &output) }
        mark(field.stream, "stream", into: &output)
        mark(field.deferral, "defer", into: &output)
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

    /// `mark = "@clientTypes(" clientType { "," clientType } ")"`
    private func mark(_ facts: [ClientTypes.Fact], into output: inout String) {
        if facts.isEmpty { return }
        let texts = facts.map { fact in
            switch fact {
            case .abstract(let type): "*" + type
            case .object(let type, let others): "+" + ([type] + others).joined(separator: ":")
            case .server(let type, let others): ([type] + others).joined(separator: ":")
            }
        }
        output += "@clientTypes(" + texts.joined(separator: ",") + ")"
    }

    /// `mark = "@keys(" key { "," key } ")"`, `key = [ "+" ] NAME ":" NAME { ":" NAME }`
    private func mark(_ keys: [KeyFields.Key], into output: inout String) {
        if keys.isEmpty { return }
        let texts = keys.map { ($0.isGlobal ? "+" : "") + ([$0.type] + $0.fields).joined(separator: ":") }
        output += "@keys(" + texts.joined(separator: ",") + ")"
    }

    /// `mark = "@connection(" handle ")" | "@handle(" string "," handle ")"`,
    /// `handle = string { "," NAME } [ "," ( "$" NAME | string ) ]`
    private func mark(_ handle: FieldHandle, into output: inout String) {
        let isConnection = handle.handler == "connection"
        output += isConnection ? "@connection(" : "@handle(" + handle.handler.quoted(in: .request) + ","
        output += handle.key.quoted(in: .request) + handle.filters.map { "," + $0 }.joined()
        if let key = handle.dynamicKey { output += "," + ValueText.plan(key) }
        output += ")"
    }

    /// `mark = "@stream(" string [ "," number ] [ "," "$" NAME ] ")" | "@defer(" string [ "," "$" NAME ] ")"`
    private func mark(_ increment: Increment?, _ name: String, into output: inout String) {
        guard let increment else { return }
        output += "@\(name)(" + increment.label.quoted(in: .request)
        if let count = increment.initialCount { output += ",\(count)" }
        if let condition = increment.condition { output += ",$" + condition }
        output += ")"
    }

    /// `change [ condition ]`; a change is `"@deleteRecord" | "@deleteEdge(" value ")" | ...`
    private func mark(_ mutation: FieldMutation, into output: inout String) {
        output += "@" + mutation.name
        let values = [mutation.connections, mutation.edgeType].compactMap { $0.map(ValueText.plan) }
        if !values.isEmpty { output += "(" + values.joined(separator: ",") + ")" }
        condition(mutation.condition, into: &output)
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
