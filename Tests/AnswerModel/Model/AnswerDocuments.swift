import BatonSchema
import RandomCases

/// Random documents in Relay's language: arguments that fragments pass to each other, connections under aliases,
/// conditions within conditions, required fields, aliases and masks.
///
/// Many documents select one key in two ways and are invalid. The caller must validate them.
struct AnswerDocuments {
    private(set) var text = ""
    /// Whether the documents are for a world with errors. Then each field of an object is asked for, because fields
    /// that Relay leaves out for lack of selections have no errors.
    let hasErrors: Bool
    /// Whether parts of responses arrive later. An error in such a part removes less data than an error in a whole
    /// answer, so that these documents are for a world without errors.
    let isIncremental: Bool
    /// Whether the current selections are below a field of the client, where no part arrives later.
    private var isClient = false

    private struct Definition {
        let name: String
        let type: SchemaType
        var arguments: [Argument] = []
        var body = ""
        /// The variables of the operation that the definition uses itself.
        var globals: Set<String> = []
        var spreads: Set<String> = []
        /// The declared arguments that are unused so far.
        var unused: Set<String> = []
        /// The directive of the definition for errors.
        var treatment = ""
    }

    private struct Argument {
        let name: String
        let type: String
        let defaultValue: String?
    }

    /// The variables of operations.
    static let globals = [
        "a": "Boolean!", "b": "Boolean!", "c": "Boolean! = true", "n": "Int", "s": "String", "e": "E = B", "f": "In",
    ]
    private static let types = [
        "Boolean!": ["true", "false"], "Boolean": ["true", "false", "null"], "Int": ["1", "2", "null"],
        "String": ["\"x\"", "\"\"", "null"], "E": ["A", "B", "null"],
        "In": ["{n: 1}", "{n: 2, s: \"y\"}", "{}", "{f: {e: A}}", "{n: null}", "null"],
    ]

    private var random: SeededGenerator
    private let schema: Schema
    private let composites: [SchemaType]
    private var fragments: [Definition] = []
    private var current: Definition
    private var budget = 0
    private var aliases = 0
    /// Whether the current set belongs to an inline fragment, which has no value of its own in Relay.
    private var isInline = false
    /// The action of the required field around the current set.
    private var outerAction: String?
    private let conditionPercent: Int
    private let hasClientFields: Bool

    init?(_ random: SeededGenerator, _ schema: Schema) {
        guard let query = schema.queryType else { return nil }
        self.random = random
        self.schema = schema
        hasErrors = self.random.chance(50)
        let isIncremental = self.random.chance(75)
        self.isIncremental = isIncremental && !hasErrors
        conditionPercent = self.random.pick([0, 20, 40])
        hasClientFields = schema.types.contains { $0.field(named: "z0") != nil }
        current = Definition(name: "", type: query)
        composites = schema.types.filter { type in
            type.isComposite && !type.name.hasPrefix("__") && type !== query
                && !["C", "D", "P"].contains(type.name.first)
        }
        for index in 0..<(2 + self.random.below(5)) {
            let type = self.random.chance(90) ? self.random.pick(composites) : query
            make("F\(index)", on: type, budget: 3 + self.random.below(8))
            fragments.append(current)
        }
        for index in 0..<(1 + self.random.below(2)) {
            make("Q\(index)", on: query, budget: 8 + self.random.below(14))
            write(current)
        }
        for fragment in fragments {
            text += "fragment \(fragment.name) on \(fragment.type.name)"
            if !fragment.arguments.isEmpty {
                let arguments = fragment.arguments.map { argument in
                    let value = argument.defaultValue.map { ", defaultValue: \($0)" } ?? ""
                    return "\(argument.name): {type: \"\(argument.type)\"\(value)}"
                }
                text += " @argumentDefinitions(" + arguments.joined(separator: ", ") + ")"
            }
            text += "\(fragment.treatment) \(fragment.body)\n"
        }
    }

    /// A random directive of a definition for errors.
    private mutating func treatment() -> String {
        let catches = random.pick([" @catch", " @catch(to: RESULT)", " @catch(to: NULL)"])
        let strict = " @throwOnFieldError"
        return switch hasErrors ? random.below(100) : 100 {
        case ..<15: strict
        case ..<30: catches
        case ..<33: strict + catches
        default: ""
        }
    }

    private mutating func write(_ operation: Definition) {
        var used = operation.globals
        var seen: Set<String> = []
        var pending = operation.spreads
        while let name = pending.popFirst() {
            guard seen.insert(name).inserted, let fragment = fragments.first(where: { $0.name == name }) else {
                continue
            }
            used.formUnion(fragment.globals)
            pending.formUnion(fragment.spreads)
        }
        text += "query \(operation.name)"
        let declared = used.sorted().map { "$\($0): \(Self.globals[$0] ?? "Int")" }
        if !declared.isEmpty { text += "(" + declared.joined(separator: ", ") + ")" }
        text += "\(operation.treatment) \(operation.body)\n"
    }

    private mutating func make(_ name: String, on type: SchemaType, budget: Int) {
        current = Definition(name: name, type: type)
        current.treatment = treatment()
        if name.hasPrefix("F"), random.chance(10) { current.treatment += " @relay(plural: true)" }
        self.budget = budget
        if name.hasPrefix("F") {
            for (index, type) in ["Boolean!", "Boolean!", "Int", "String", "E", "In"].enumerated()
            where random.chance(30) {
                let values = (Self.types[type] ?? []).filter { $0 != "null" }
                let value = random.chance(type == "Boolean!" ? 70 : 50) ? random.pick(values) : nil
                current.arguments.append(.init(name: "p\(index)", type: type, defaultValue: value))
                current.unused.insert("p\(index)")
            }
        }
        var body = set(on: type, depth: 0)
        // Constant arguments make many copies of the other fragments empty, so that some operations ask for nothing.
        if name.hasPrefix("F"), type.isAbstract, random.chance(50) { body = "{ __typename " + body.dropFirst(2) }
        current.arguments.removeAll { current.unused.contains($0.name) }
        current.body = body
    }

    // MARK: - Selections

    private mutating func set(on type: SchemaType, depth: Int) -> String {
        var parts: [String] = []
        for _ in 0..<(1 + random.below(4)) where budget > 0 || parts.isEmpty {
            budget -= 1
            parts.append(selection(on: type, depth: depth))
        }
        // Without this field, the server may be asked for nothing in a set, and then not for the object types either.
        if hasClientFields, type !== schema.queryType { parts.insert("__typename", at: 0) }
        return "{ " + parts.joined(separator: " ") + " }"
    }

    private mutating func selection(on type: SchemaType, depth: Int) -> String {
        let choice = random.below(100)
        if choice < 35, let spread = spread(on: type) { return spread }
        if choice < 50, depth < 5, type.isAbstract || random.chance(30) {
            return inlineFragment(on: type, depth: depth)
        }
        return field(on: type, depth: depth)
    }

    private mutating func spread(on type: SchemaType) -> String? {
        let fitting = fragments.filter { schema.overlap($0.type, type) }
        guard !fitting.isEmpty else { return nil }
        let fragment = random.pick(fitting)
        current.spreads.insert(fragment.name)
        var text = "...\(fragment.name)"
        var passed: [String] = []
        for argument in fragment.arguments {
            let isNeeded = argument.type.hasSuffix("!") && argument.defaultValue == nil
            guard isNeeded || random.chance(70) else { continue }
            passed.append("\(argument.name): \(value(of: argument.type))")
        }
        if !passed.isEmpty { text += " @arguments(" + passed.joined(separator: ", ") + ")" }
        let isPlural = fragment.treatment.contains("plural")
        if !isPlural, random.chance(20) { text += " @alias(as: \"\(alias())\")" }
        if fragment.arguments.isEmpty, fragment.treatment.isEmpty, !isClient, random.chance(15) {
            return text + " @relay(mask: false)"
        }
        if isIncremental, !isClient, random.chance(50) { text += increment("defer") }
        return text + conditions()
    }

    private mutating func inlineFragment(on type: SchemaType, depth: Int) -> String {
        let (outer, action) = (isInline, outerAction)
        defer { (isInline, outerAction) = (outer, action) }
        isInline = true
        var head = "..."
        var target = type
        if !random.chance(20) {
            target = random.pick(composites.filter { schema.overlap($0, type) } + [type])
            head += " on \(target.name)"
        }
        if random.chance(30) {
            // The inline fragment has data of its own, which its required fields remove.
            (isInline, outerAction) = (false, nil)
            head += " @alias(as: \"\(alias())\")"
            if random.chance(40) { head += catching() }
        }
        return head + conditions() + " " + set(on: target, depth: depth + 1)
    }

    private mutating func catching() -> String { random.pick([" @catch", " @catch(to: RESULT)", " @catch(to: NULL)"]) }

    /// A random directive for a field without a value. All occurrences of a response key have the same directive.
    private mutating func nullability(of field: SchemaField, depth: Int) -> String {
        if field.isClientOnly, current.treatment.contains("throw") { return catching() }
        let choice = random.below(100)
        if choice < 20 { return catching() }
        guard choice < 35, depth > 0, !isInline, !field.type.isNonNull else { return "" }
        let actions = ["NONE", "LOG", "THROW"]
        let mildest = outerAction.flatMap(actions.firstIndex) ?? 0
        return " @required(action: \(random.pick(Array(actions[mildest...]))))"
    }

    private mutating func field(on type: SchemaType, depth: Int) -> String {
        let leaves = type.fields.filter { schema.namedType(of: $0.type).isLeaf }
        let objects = type.fields.filter { schema.namedType(of: $0.type).isComposite }
        let wantsObject = depth < 5 && budget > 0 && random.chance(60)
        let candidates = wantsObject && !objects.isEmpty ? objects : leaves.isEmpty ? [] : leaves
        guard !candidates.isEmpty else {
            // The compiler refuses a selection of this kind only directly at the root.
            let typename = "__typename" + conditions()
            return depth == 0 && type === schema.queryType ? "... { \(typename) }" : typename
        }
        let field = random.pick(candidates)
        let wasClient = isClient
        if field.isClientOnly { isClient = true }
        defer { isClient = wasClient }
        let named = schema.namedType(of: field.type)
        if named.name.hasPrefix("C") { return connection(field, named) }
        let arguments = field.arguments.compactMap { argument -> String? in
            guard random.chance(60) else { return nil }
            return "\(argument.name): \(value(of: schema.describe(argument.type)))"
        }
        let needsCatch = field.isClientOnly && current.treatment.contains("throw")
        var output = arguments.isEmpty && !needsCatch && random.chance(70) ? "" : "\(alias()): "
        let nullability = output.isEmpty ? "" : nullability(of: field, depth: depth)
        output += field.name
        if !arguments.isEmpty { output += "(" + arguments.joined(separator: ", ") + ")" }
        output += nullability
        // Two occurrences of a response key would have to stream in the same way.
        let mayStream = isIncremental && !isClient && output.contains(":")
        if mayStream, named.isComposite, field.type.item?.isList == false, random.chance(70) {
            output += increment("stream", "initialCount: \(random.below(3))")
        }
        if !nullability.contains("required") { output += conditions() }
        guard named.isComposite else { return output }
        let outer = outerAction
        defer { outerAction = outer }
        outerAction = ["NONE", "LOG", "THROW"].first { nullability.contains("(action: \($0)") }
        // A field is left out if none of its selections can apply.
        let isAsked = !nullability.isEmpty
        return output + " " + fieldSet(on: named, depth: depth + 1, isAsked: isAsked)
    }

    private mutating func fieldSet(on type: SchemaType, depth: Int, isAsked: Bool = false) -> String {
        let outer = isInline
        isInline = false
        defer { isInline = outer }
        let set = set(on: type, depth: depth)
        return hasErrors || isAsked ? "{ __typename " + set.dropFirst(2) : set
    }

    /// A random connection. All connections of one key have the same arguments, except for their filters.
    private mutating func connection(_ field: SchemaField, _ named: SchemaType) -> String {
        let alias = alias()
        var arguments = ["first: 3"]
        if random.chance(40) { arguments.append("topic: \(value(of: "String"))") }
        if random.chance(40) { arguments.append("n: \(value(of: "Int"))") }
        if random.chance(20) { arguments.append("after: null") }
        var text = "\(alias): \(field.name)(\(arguments.joined(separator: ", ")))"
        if random.chance(80) {
            let passed = ["topic", "n"].filter { name in arguments.contains { $0.hasPrefix(name + ":") } }
            let filters = random.chance(30) ? ", filters: \(passed)" : ""
            let key = "key: \"\(current.name)_\(alias)\"\(filters)"
            text +=
                isIncremental && !isClient && random.chance(60)
                ? increment("stream_connection", key, "initialCount: \(random.below(3))") : " @connection(\(key))"
        }
        if hasErrors, random.chance(20) { text += catching() }
        text += conditions()
        let outer = outerAction
        defer { outerAction = outer }
        outerAction = nil
        guard let edge = named.field(named: "edges").map({ schema.namedType(of: $0.type) }),
            let node = edge.field(named: "node").map({ schema.namedType(of: $0.type) })
        else { return text + " { l1 }" }
        var inner = "edges { node \(fieldSet(on: node, depth: 2))"
        if random.chance(30) { inner += " cursor" }
        if random.chance(30) { inner += " l2" }
        inner += " }"
        if random.chance(20) { inner += " l1" }
        if random.chance(20) { inner += " pageInfo { hasNextPage }" }
        return text + " { \(inner) }"
    }

    /// A directive by which a part arrives later, sometimes under a condition.
    private mutating func increment(_ name: String, _ arguments: String...) -> String {
        let condition = random.chance(30) ? ["if: \(value(of: "Boolean!"))"] : []
        let all = (arguments + condition).joined(separator: ", ")
        return " @\(name)" + (all.isEmpty ? "" : "(\(all))")
    }

    private mutating func alias() -> String {
        aliases += 1
        return "x\(aliases)"
    }

    // MARK: - Values and conditions

    /// A random literal or variable that fits a type.
    private mutating func value(of type: String, depth: Int = 0) -> String {
        if random.chance(50), let variable = variable(of: type) { return variable }
        if type == "In", depth < 2, random.chance(50) {
            let members = [("n", "Int"), ("s", "String"), ("f", "In")].filter { _ in random.chance(50) }
            return "{" + members.map { "\($0.0): \(value(of: $0.1, depth: depth + 1))" }.joined(separator: ", ") + "}"
        }
        return random.pick(Self.types[type] ?? ["null"])
    }

    private mutating func variable(of type: String) -> String? {
        let local = current.arguments.filter { $0.type == type || $0.type == type + "!" }.map(\.name)
        let global = Self.globals.filter { $0.value.prefix { $0 != " " } == type }.keys.sorted()
        let all = local + local + global
        guard !all.isEmpty else { return nil }
        let name = random.pick(all)
        if local.contains(name) { current.unused.remove(name) } else { current.globals.insert(name) }
        return "$" + name
    }

    private mutating func conditions() -> String {
        var output = ""
        for directive in ["include", "skip"] where random.chance(conditionPercent) {
            output += " @\(directive)(if: \(value(of: "Boolean!")))"
        }
        return output
    }
}
