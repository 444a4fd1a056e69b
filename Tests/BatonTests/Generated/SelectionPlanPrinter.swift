@testable import Baton

/// Prints a plan in the grammar of plans.
enum SelectionPlanPrinter {
    static func print(_ plan: SelectionPlan) -> String {
        var variables = plan.variables.map { variable in
            variable.name + (variable.defaultValue.map { "=" + text(.constant($0)) } ?? "")
        }.joined(separator: ",")
        if !variables.isEmpty { variables = "(\(variables))" }
        return variables + text(plan.marks) + text(plan.items)
    }

    private static func text(_ items: [SelectionPlan.Item]) -> String {
        "{\(items.map(text).joined(separator: " "))}"
    }

    private static func text(_ item: SelectionPlan.Item) -> String {
        let condition = text(item.condition)
        switch item.kind {
        case .inline(let type, let items):
            let type = type.map(text) ?? (item.marks.isRequiredSet ? "<!>" : "<>")
            return condition + type + text(item, marks: item.marks) + text(items)
        case .spread(let name, let arguments, let type):
            let passed = arguments.isEmpty ? "" : "(\(text(arguments)))"
            return condition + "~" + name + passed + (type.map(text) ?? "") + text(item, marks: item.marks)
        case .field(let field):
            let name = field.name == field.responseKey ? "" : "=\(field.name)"
            let arguments = field.arguments.isEmpty ? "" : "(\(text(field.arguments)))"
            let selections = field.type.named.isComposite ? text(field.selections) : ""
            let head = condition + field.responseKey + name + arguments
            return head + ":" + text(field.type) + text(item, marks: item.marks) + selections
        }
    }

    private static func text(_ condition: SelectionPlan.Condition?) -> String {
        guard let alternatives = condition?.alternatives else { return "" }
        let conjunctions = alternatives.map { literals in
            literals.map { ($0.isNegated ? "!" : "") + $0.variable }.joined(separator: "&")
        }
        return "[\(conjunctions.joined(separator: "|"))]"
    }

    private static func text(_ type: SelectionPlan.TypeCondition) -> String {
        "<\(type.isAbstract ? "*" : "")\(type.type)>"
    }

    private static func text(_ arguments: [SelectionPlan.Argument]) -> String {
        arguments.map { "\($0.name):\(text($0.value))" }.joined(separator: ",")
    }

    private static func text(_ value: SelectionPlan.Value) -> String {
        switch value {
        case .variable(let name): "$" + name
        case .constant(.array(let values)): "[\(values.map { text(.constant($0)) }.joined(separator: ","))]"
        case .constant(.object(let members)):
            "{\(members.map { "\($0.name):\(text(.constant($0.value)))" }.joined(separator: ","))}"
        case .constant(let value): value.text
        case .list(let values): "[\(values.map(text).joined(separator: ","))]"
        case .object(let members): "{\(text(members))}"
        }
    }

    private static func text(_ type: SelectionPlan.FieldType) -> String {
        switch type {
        case .nonNull(let inner): text(inner) + "!"
        case .list(let inner): "[\(text(inner))]"
        case .named(let name):
            switch name {
            case .int: "Int"
            case .float: "Float"
            case .string: "String"
            case .boolean: "Boolean"
            case .id: "ID"
            case .enumeration(let name): "#" + name
            case .mappedScalar(let name): "@" + name
            case .unmappedScalar(let name): "%" + name
            case .object(let name, let isNode): (isNode ? "+" : "") + name
            case .abstract(let name, let isNode, let nodes):
                (isNode ? "+" : "") + "*" + ([name] + nodes).joined(separator: "+")
            }
        }
    }

    private static func text(_ marks: SelectionPlan.Marks) -> String {
        var result = ""
        if let age = marks.maxAge { result += "@maxAge(\(age.components.seconds))" }
        if let handle = marks.handle {
            let filters =
                handle.filters.map { ",\($0)" }.joined() + (handle.dynamicKey.map { "," + text($0) } ?? "")
            let key = JSONValue.string(handle.key).text
            result +=
                handle.name == "connection"
                ? "@connection(\(key)\(filters))" : "@handle(\(JSONValue.string(handle.name).text),\(key)\(filters))"
        }
        if let mutation = marks.mutation {
            let values = [mutation.connections, mutation.edgeType].compactMap { $0.map(text) }
            result += "@\(mutation.kind.rawValue)" + (values.isEmpty ? "" : "(\(values.joined(separator: ",")))")
            result += text(mutation.condition)
        }
        if marks.isClient { result += "@client" }
        if let required = marks.required { result += "@required(\(required.rawValue))" }
        if let target = marks.catches { result += "@catch(\(target.rawValue))" }
        if marks.throwsOnFieldError { result += "@throwOnFieldError" }
        return result
    }

    private static func text(_ item: SelectionPlan.Item, marks: SelectionPlan.Marks) -> String {
        guard let increment = marks.increment else { return text(marks) }
        let name = increment.isStream ? "stream" : "defer"
        let count = increment.initialCount.map { ",\($0)" } ?? ""
        let condition = increment.condition.map { ",$\($0)" } ?? ""
        return "@\(name)(\(JSONValue.string(increment.label).text)\(count)\(condition))" + text(marks)
    }
}
