// The depth of JSON has several owners, this one for plans; ReadingTheDesign.md names the others.

extension SelectionPlan {
    /// Decodes the text of a plan strictly. The error says what was expected and at which position.
    package static func decode(_ text: String) throws(RelayError.InvalidResponse) -> SelectionPlan {
        do {
            return try JSONCursor.read(Array(text.utf8)) { (cursor) throws(JSONFailure) in
                var decoder = SelectionPlanDecoder(cursor: cursor)
                return try decoder.plan()
            }
        } catch {
            if case .unusablePlan = error.reason {
                throw RelayError.InvalidResponse(error.reason, offset: error.offset)
            }
            throw RelayError.InvalidResponse(
                .unusablePlan("malformed value at \(error.offset) in a plan"), offset: error.offset)
        }
    }
}

/// Decodes the grammar of a plan: one method for each production, which its comment quotes.
struct SelectionPlanDecoder {
    static let maximumDepth = 200
    var cursor: JSONCursor

    func failure(_ expected: String) -> JSONFailure {
        JSONFailure(.unusablePlan("expected \(expected) at \(cursor.position) in a plan"), offset: cursor.position)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard cursor.next == UInt8(ascii: character) else { return false }
        cursor.position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(JSONFailure) {
        guard take(character) else { throw failure("'\(character)'") }
    }

    /// `NAME`: `[_A-Za-z][_0-9A-Za-z]*`
    mutating func name() throws(JSONFailure) -> String {
        let start = cursor.position
        while true {
            switch cursor.next {
            case UInt8(ascii: "_"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9") where cursor.position > start: break
            default:
                guard cursor.position > start else { throw failure("a name") }
                return cursor.text(start..<cursor.position)
            }
            cursor.position += 1
        }
    }

    /// `plan = [ "(" variable { "," variable } ")" ] { mark } selections`
    mutating func plan() throws(JSONFailure) -> SelectionPlan {
        var variables: [SelectionPlan.Variable] = []
        if take("(") {
            repeat {
                let name = try name()
                var defaultValue: JSONValue?
                if take("=") {
                    guard let constant = Self.constant(try value(depth: 0)) else { throw failure("a constant before") }
                    defaultValue = constant
                }
                variables.append(.init(name: name, defaultValue: defaultValue))
            } while take(",")
            try expect(")")
        }
        let marks = try marks(at: .plan)
        let items = try selections(depth: 0)
        guard cursor.isAtEnd else { throw failure("the end") }
        return SelectionPlan(variables: variables, marks: marks, items: items)
    }

    /// `selections = "{" [ item { " " item } ] "}"`
    private mutating func selections(depth: Int) throws(JSONFailure) -> [SelectionPlan.Item] {
        guard depth < Self.maximumDepth else { throw failure("at most \(Self.maximumDepth) levels") }
        try expect("{")
        var items: [SelectionPlan.Item] = []
        if take("}") { return items }
        repeat { items.append(try item(depth: depth)) } while take(" ")
        try expect("}")
        return items
    }

    /// `item = [ condition ] ( field | inline | spread )`
    private mutating func item(depth: Int) throws(JSONFailure) -> SelectionPlan.Item {
        let condition = try condition()
        if cursor.next == UInt8(ascii: "<") {
            let isRequired = cursor.hasBytes(Array("<!>".utf8), at: cursor.position)
            let isUntyped = isRequired || cursor.hasBytes(Array("<>".utf8), at: cursor.position)
            let type = isUntyped ? nil : try typeCondition()
            if isUntyped { cursor.position += isRequired ? 3 : 2 }
            var marks = try marks(at: .inline)
            marks.isRequiredSet = isRequired
            return .init(
                condition: condition, kind: .inline(type, try selections(depth: depth + 1)), marks: marks)
        }
        if take("~") {
            let name = try name()
            let arguments = try arguments(depth: depth)
            let type = cursor.next == UInt8(ascii: "<") ? try typeCondition() : nil
            return .init(
                condition: condition, kind: .spread(name: name, arguments: arguments, type),
                marks: try marks(at: .spread))
        }
        let (field, marks) = try field(depth: depth)
        return .init(condition: condition, kind: .field(field), marks: marks)
    }

    /// `condition = "[" conjunction { "|" conjunction } "]"`, `conjunction = literal { "&" literal }`
    mutating func condition() throws(JSONFailure) -> SelectionPlan.Condition? {
        guard take("[") else { return nil }
        var alternatives: [[SelectionPlan.Condition.Literal]] = []
        repeat {
            var literals: [SelectionPlan.Condition.Literal] = []
            repeat {
                let isNegated = take("!")
                literals.append(.init(variable: try name(), isNegated: isNegated))
            } while take("&")
            alternatives.append(literals)
        } while take("|")
        try expect("]")
        return .init(alternatives: alternatives)
    }

    /// `"<" [ "*" ] NAME ">"`
    private mutating func typeCondition() throws(JSONFailure) -> SelectionPlan.TypeCondition {
        try expect("<")
        let isAbstract = take("*")
        let type = try name()
        try expect(">")
        return .init(type: type, isAbstract: isAbstract)
    }

    /// `field = NAME [ "=" NAME ] [ arguments ] ":" type { mark } [ selections ]`
    private mutating func field(depth: Int) throws(JSONFailure) -> (SelectionPlan.Field, SelectionPlan.Marks) {
        let responseKey = try name()
        let fieldName = take("=") ? try name() : responseKey
        let arguments = try arguments(depth: depth)
        try expect(":")
        let type = try type(depth: 0)
        let marks = try marks(at: .field)
        let selections = type.named.isComposite ? try selections(depth: depth + 1) : []
        let field = SelectionPlan.Field(
            responseKey: responseKey, name: fieldName, arguments: arguments, type: type, selections: selections)
        return (field, marks)
    }

    /// `[ "(" NAME ":" value { "," NAME ":" value } ")" ]`
    private mutating func arguments(depth: Int) throws(JSONFailure) -> [SelectionPlan.Argument] {
        guard take("(") else { return [] }
        let arguments = try members(depth: depth)
        try expect(")")
        return arguments
    }

    /// `NAME ":" value { "," NAME ":" value }`
    private mutating func members(depth: Int) throws(JSONFailure) -> [SelectionPlan.Argument] {
        var members: [SelectionPlan.Argument] = []
        repeat {
            let name = try name()
            try expect(":")
            members.append(.init(name: name, value: try value(depth: depth)))
        } while take(",")
        return members
    }

    /// `type = ( "[" type "]" | named ) [ "!" ]`
    private mutating func type(depth: Int) throws(JSONFailure) -> SelectionPlan.FieldType {
        guard depth < 32 else { throw failure("at most 32 lists in a type") }
        var type: SelectionPlan.FieldType
        if take("[") {
            type = .list(try self.type(depth: depth + 1))
            try expect("]")
        } else {
            type = .named(try namedType())
        }
        if take("!") { type = .nonNull(type) }
        return type
    }

    /// `named = "Int" | ... | "#" NAME | "@" NAME | "%" NAME | [ "+" ] NAME | [ "+" ] "*" NAME { "+" NAME }`
    private mutating func namedType() throws(JSONFailure) -> SelectionPlan.NamedType {
        if take("#") { return .enumeration(try name()) }
        if take("@") { return .mappedScalar(try name()) }
        if take("%") { return .unmappedScalar(try name()) }
        let implementsNode = take("+")
        if take("*") {
            let name = try name()
            var nodes: [String] = []
            while take("+") { nodes.append(try self.name()) }
            return .abstract(name, implementsNode: implementsNode, nodes: nodes)
        }
        let name = try name()
        if implementsNode { return .object(name, implementsNode: true) }
        return switch name {
        case "Int": .int
        case "Float": .float
        case "String": .string
        case "Boolean": .boolean
        case "ID": .id
        default: .object(name, implementsNode: false)
        }
    }

    /// `value = "$" NAME | number | JSON string | "true" | "false" | "null" | ENUM | "[" ... "]" | "{" ... "}"`
    mutating func value(depth: Int) throws(JSONFailure) -> SelectionPlan.Value {
        guard depth < Self.maximumDepth else { throw failure("at most \(Self.maximumDepth) levels") }
        switch cursor.next {
        case UInt8(ascii: "$"):
            cursor.position += 1
            return .variable(try name())
        case UInt8(ascii: "\""): return .constant(.string(cursor.text(try cursor.string())))
        case UInt8(ascii: "["):
            cursor.position += 1
            var values: [SelectionPlan.Value] = []
            if take("]") { return .constant(.array([])) }
            repeat { values.append(try value(depth: depth + 1)) } while take(",")
            try expect("]")
            let list = SelectionPlan.Value.list(values)
            return Self.constant(list).map(SelectionPlan.Value.constant) ?? list
        case UInt8(ascii: "{"):
            cursor.position += 1
            if take("}") { return .constant(.object([])) }
            let object = SelectionPlan.Value.object(try members(depth: depth + 1))
            try expect("}")
            return Self.constant(object).map(SelectionPlan.Value.constant) ?? object
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return switch try cursor.number() {
            case .int(let value): .constant(.int(value))
            case .double(let value): .constant(.double(value))
            }
        default:
            let name = try name()
            return switch name {
            case "true": .constant(.bool(true))
            case "false": .constant(.bool(false))
            case "null": .constant(.null)
            default: .constant(.string(name))
            }
        }
    }

    /// Returns the value if it contains no variable. The recursion is bounded by the depth of the plan.
    private static func constant(_ value: SelectionPlan.Value) -> JSONValue? {
        switch value {
        case .variable: return nil
        case .constant(let value): return value
        case .list(let values):
            var constants: [JSONValue] = []
            for value in values {
                guard let constant = constant(value) else { return nil }
                constants.append(constant)
            }
            return .array(constants)
        case .object(let members):
            var constants: [JSONValue.Member] = []
            for member in members {
                guard let constant = constant(member.value) else { return nil }
                constants.append(.init(member.name, constant))
            }
            return .object(constants)
        }
    }
}
