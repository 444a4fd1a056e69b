extension SelectionPlan {
    /// The directives of a field, an inline fragment or a whole plan; empty for nearly all of them.
    package struct Marks: Sendable, Hashable {
        /// The reaction to a required field that is null or missing.
        package enum RequiredAction: String, Sendable, Hashable {
            case none = "NONE"
            case log = "LOG"
            case `throw` = "THROW"
        }

        /// The replacement for a field or fragment that has errors inside.
        package enum CatchTarget: String, Sendable, Hashable {
            /// The errors become a value, a ``FieldResult``.
            case result = "RESULT"
            /// The field or fragment becomes null.
            case null = "NULL"
        }

        /// A field of which a field handler keeps a copy under another key, made from the values that answers bring.
        package struct Handle: Sendable, Hashable {
            /// The name of the handler.
            package let name: String
            /// Tells this handle from other handles in the same record; the name of the field if empty.
            package let key: String
            /// The arguments that are part of the copy's key.
            package let filters: [String]
        }

        /// A part of an answer that arrives later, as `@defer` and `@stream` ask for.
        package struct Increment: Sendable, Hashable {
            /// The part's name in the answer; unique in its operation.
            package let label: String
            /// The name of a Boolean variable; if it is false, the part arrives with the first answer.
            package let condition: String?
            /// The number of items of a stream in the first answer, if the document gives it as a number.
            package let initialCount: Int?
        }

        /// The age after which the value is stale.
        package var maxAge: Duration?
        /// The copy that a handler keeps of the field.
        package var handle: Handle?
        /// The part that arrives later: the items of a list, or the fields of an inline fragment.
        package var increment: Increment?
        /// The reaction to a field without a value; nil if the field is not required.
        package var required: RequiredAction?
        /// The replacement if there are errors inside; nil if errors are not caught here.
        package var catches: CatchTarget?
        /// True for a field of the client's own schema, which answers do not bring.
        package var isClient = false
        /// True if an uncaught error inside fails the read.
        package var throwsOnFieldError = false

        /// No marks.
        package init() {}
        /// No marks.
        package static let none = Marks()
        /// True if there are no marks.
        package var isEmpty: Bool { self == .none }
    }
}

extension SelectionPlan.Marks {
    /// The place of the marks, which decides which marks are allowed.
    enum Position {
        case field
        case inline
        case spread
        case plan

        func allows(_ name: String) -> Bool {
            switch name {
            case "catch": self != .spread
            case "maxAge": self == .field || self == .plan
            case "connection", "handle", "stream", "required", "client": self == .field
            case "defer": self == .inline || self == .spread
            case "throwOnFieldError": self == .plan
            default: false
            }
        }
    }

    var usesVariables: Bool { increment?.condition != nil }
}

extension SelectionPlanDecoder {
    /// `mark = "@" NAME [ "(" argument { "," argument } ")" ]`, each name at most once.
    mutating func marks(at position: SelectionPlan.Marks.Position) throws(JSONFailure) -> SelectionPlan.Marks {
        var marks = SelectionPlan.Marks()
        var seen: Set<String> = []
        while cursor.next == UInt8(ascii: "@") {
            let start = cursor.position
            cursor.position += 1
            let name = try name()
            guard position.allows(name), seen.insert(name == "connection" ? "handle" : name).inserted else {
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
            while take(",") { filters.append(try self.name()) }
            try expect(")")
            marks.handle = .init(name: handler, key: key, filters: filters)
        case "stream", "defer":
            marks.increment = try increment(hasCount: name == "stream")
        case "required": marks.required = try oneOf("NONE, LOG or THROW")
        case "catch": marks.catches = try oneOf("RESULT or NULL")
        case "client": marks.isClient = true
        default: marks.throwsOnFieldError = true
        }
    }

    /// `"(" JSON string [ "," number ] [ "," "$" NAME ] ")"`
    private mutating func increment(hasCount: Bool) throws(JSONFailure) -> SelectionPlan.Marks.Increment {
        try expect("(")
        let label = try string()
        var count: Int?
        var condition: String?
        if take(",") {
            if hasCount, cursor.next != UInt8(ascii: "$") {
                count = try natural()
                if take(",") { condition = try variable() }
            } else {
                condition = try variable()
            }
        }
        try expect(")")
        return .init(label: label, condition: condition, initialCount: count)
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
