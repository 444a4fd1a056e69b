import BatonIR
import BatonSyntax

/// The values of a fragment's arguments in one copy of the fragment.
///
/// A variable that is not an argument of the fragment belongs to the operation and stays.
struct FragmentBindings {
    /// The bindings of an operation, which are empty.
    static let none = FragmentBindings(values: [:])

    private let values: [String: Value]

    private init(values: [String: Value]) {
        self.values = values
    }

    /// Binds the arguments that a fragment declares.
    ///
    /// An argument that is missing or null gets its default value, or is null without one. An argument with a provider
    /// is not bound, because it is a variable of the operation.
    init(_ declared: [FragmentArgument], passed: [Argument]) {
        var values: [String: Value] = [:]
        for argument in declared where argument.provider == nil {
            let given = passed.first { $0.name.text == argument.name }?.value
            let value = given.flatMap { $0.isNull ? nil : $0 } ?? argument.defaultValue
            values[argument.name] = value ?? .null(NullValue())
        }
        self.values = values
    }

    /// Replaces variables in arguments by their values. Null arguments are left out, and so are the null fields of
    /// objects in which a variable was written. Lists keep their length: their null items are sent, unlike in Relay.
    func apply(to arguments: [Argument]) -> [Argument] {
        arguments.compactMap { argument in
            var argument = argument
            argument.value = apply(to: argument.value)
            return argument.value.isNull ? nil : argument
        }
    }

    /// Replaces variables in one value. The parser's nesting limit bounds the recursion.
    func apply(to value: Value) -> Value {
        switch value {
        case .variable(let variable): return values[variable.name] ?? value
        case .list(var list):
            guard value.hasVariables else { return value }
            list.values = list.values.map(apply)
            return .list(list)
        case .object(var object):
            guard value.hasVariables else { return value }
            object.fields = object.fields.compactMap { field in
                var field = field
                field.value = apply(to: field.value)
                return field.value.isNull ? nil : field
            }
            return .object(object)
        case .int, .float, .string, .boolean, .null, .enum: return value
        }
    }
}

extension Value {
    /// Whether the value contains a variable, at any depth. The parser's nesting limit bounds the recursion.
    package var hasVariables: Bool {
        switch self {
        case .variable: true
        case .list(let list): list.values.contains(where: \.hasVariables)
        case .object(let object): object.fields.contains { $0.value.hasVariables }
        case .int, .float, .string, .boolean, .null, .enum: false
        }
    }

    /// The number of values in the value, itself included, and the number of nested lists and objects. The nesting of
    /// the written value and of the inserted values bounds the recursion.
    var extent: (count: Int, depth: Int) {
        let children: [Value]
        switch self {
        case .list(let list): children = list.values
        case .object(let object): children = object.fields.map(\.value)
        case .variable, .int, .float, .string, .boolean, .null, .enum: return (1, 0)
        }
        var (count, depth) = (1, 0)
        for child in children {
            let inner = child.extent
            (count, depth) = (count + inner.count, max(depth, inner.depth))
        }
        return (count, depth + 1)
    }

    /// Calls a function with each variable in the value. The parser's nesting limit bounds the recursion.
    package func forEachVariable(_ body: (Variable) -> Void) {
        switch self {
        case .variable(let variable): body(variable)
        case .list(let list): for value in list.values { value.forEachVariable(body) }
        case .object(let object): for field in object.fields { field.value.forEachVariable(body) }
        case .int, .float, .string, .boolean, .null, .enum: break
        }
    }
}
