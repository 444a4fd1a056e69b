extension SelectionPlanDecoder {
    /// `mark = "@" NAME [ "(" argument { "," argument } ")" ]`, each name at most once.
    mutating func marks(at position: SelectionPlan.Marks.Position) throws(JSONFailure) -> SelectionPlan.Marks {
        var marks = SelectionPlan.Marks()
        var seen: Set<String> = []
        while cursor.next == UInt8(ascii: "@") {
            let start = cursor.position
            cursor.position += 1
            let name = try name()
            guard position.allows(name), seen.insert(SelectionPlan.Marks.group(of: name)).inserted else {
                cursor.position = start
                throw failure("another mark than '@\(name)'")
            }
            try mark(name, &marks)
        }
        return marks
    }

    private mutating func mark(_ name: String, _ marks: inout SelectionPlan.Marks) throws(JSONFailure) {
        switch name {
        case "maxAge":
            try expect("(")
            marks.maxAge = .seconds(try natural())
            try expect(")")
        case "connection", "handle":
            try expect("(")
            var handler = name
            if name == "handle" {
                handler = try string()
                try expect(",")
            }
            let key = try string()
            var filters: [String] = []
            var dynamicKey: SelectionPlan.Value?
            while dynamicKey == nil, take(",") {
                if cursor.next == UInt8(ascii: "$") {
                    dynamicKey = .variable(try variable())
                } else if cursor.next == UInt8(ascii: "\"") {
                    dynamicKey = .constant(.string(try string()))
                } else {
                    filters.append(try self.name())
                }
            }
            try expect(")")
            marks.handle = .init(name: handler, key: key, filters: filters, dynamicKey: dynamicKey)
        case "stream", "defer":
            marks.increment = try increment(isStream: name == "stream")
        case "required": marks.required = try oneOf("NONE, LOG or THROW")
        case "catch": marks.catches = try oneOf("RESULT or NULL")
        case "client": marks.isClient = true
        case "clientTypes":
            try expect("(")
            repeat { marks.clientTypes.append(try clientType()) } while take(",")
            try expect(")")
        case "keys":
            try expect("(")
            repeat { marks.keys.append(try key()) } while take(",")
            try expect(")")
        case "throwOnFieldError": marks.throwsOnFieldError = true
        default:
            guard let kind = SelectionPlan.Marks.Mutation.Kind(rawValue: name) else { return }
            marks.mutation = try mutation(kind)
            marks.mutation?.condition = try condition()
        }
    }

    /// `"(" value [ "," value ] ")"`, or nothing for `@deleteRecord`
    private mutating func mutation(
        _ kind: SelectionPlan.Marks.Mutation.Kind
    ) throws(JSONFailure) -> SelectionPlan.Marks.Mutation {
        if kind == .deleteRecord { return .init(kind: kind, connections: nil, edgeType: nil) }
        try expect("(")
        let connections = try value(depth: 0)
        var edgeType: SelectionPlan.Value?
        if kind == .appendNode || kind == .prependNode {
            try expect(",")
            edgeType = try value(depth: 0)
        }
        try expect(")")
        return .init(kind: kind, connections: connections, edgeType: edgeType)
    }

    /// `clientType = "*" NAME | [ "+" ] NAME { ":" NAME }`
    private mutating func clientType() throws(JSONFailure) -> SelectionPlan.Marks.ClientType {
        if take("*") { return .init(type: try name(), kind: .abstract, abstractTypes: []) }
        let isClient = take("+")
        let type = try name()
        var abstractTypes: [String] = []
        while take(":") { abstractTypes.append(try name()) }
        return .init(type: type, kind: isClient ? .object : .server, abstractTypes: abstractTypes)
    }

    /// `key = [ "+" ] NAME ":" NAME { ":" NAME }`
    private mutating func key() throws(JSONFailure) -> SelectionPlan.Marks.Key {
        let isGlobal = take("+")
        let type = try name()
        var fields: [String] = []
        repeat {
            try expect(":")
            fields.append(try name())
        } while cursor.next == UInt8(ascii: ":")
        return .init(type: type, fields: fields, isGlobal: isGlobal)
    }

    /// `"(" JSON string [ "," number ] [ "," "$" NAME ] ")"`
    private mutating func increment(isStream: Bool) throws(JSONFailure) -> SelectionPlan.Marks.Increment {
        try expect("(")
        let label = try string()
        var count: Int?
        var condition: String?
        if take(",") {
            if isStream, cursor.next != UInt8(ascii: "$") {
                count = try natural()
                if take(",") { condition = try variable() }
            } else {
                condition = try variable()
            }
        }
        try expect(")")
        return .init(isStream: isStream, label: label, condition: condition, initialCount: count)
    }

    private mutating func variable() throws(JSONFailure) -> String {
        try expect("$")
        return try name()
    }

    private mutating func oneOf<Word: RawRepresentable<String>>(_ words: String) throws(JSONFailure) -> Word {
        try expect("(")
        let start = cursor.position
        guard let word = Word(rawValue: try name()) else {
            cursor.position = start
            throw failure(words)
        }
        try expect(")")
        return word
    }

    private mutating func natural() throws(JSONFailure) -> Int {
        let start = cursor.position
        if cursor.next &- UInt8(ascii: "0") < 10, case .int(let number) = try cursor.number() {
            return number
        }
        cursor.position = start
        throw failure("a natural number")
    }

    private mutating func string() throws(JSONFailure) -> String {
        guard cursor.next == UInt8(ascii: "\"") else { throw failure("a string") }
        return cursor.text(try cursor.string())
    }
}

extension SelectionPlan.Marks {
    /// Returns the name of a group of marks, of which a place may have one.
    fileprivate static func group(of name: String) -> String {
        if name == "connection" { return "handle" }
        return Mutation.Kind(rawValue: name) == nil ? name : "mutation"
    }
}
