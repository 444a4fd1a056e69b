extension SelectionPlan {
    /// What the directives of a field, an inline fragment or a whole plan ask for; empty for nearly all.
    package struct Marks: Sendable, Hashable {
        /// What a required field does if it is null or missing.
        package enum RequiredAction: String, Sendable, Hashable {
            case none = "NONE"
            case log = "LOG"
            case `throw` = "THROW"
        }

        /// What becomes of the errors under a field or fragment.
        package enum CatchTarget: String, Sendable, Hashable {
            /// They are a value.
            case result = "RESULT"
            /// The value is null.
            case null = "NULL"
        }

        /// A field of which a copy is kept under another key, made by a handler from what answers bring.
        package struct Handle: Sendable, Hashable {
            /// The name of the handler.
            package let name: String
            /// What tells it from other handles of the same record; empty: the name of the field.
            package let key: String
            /// The arguments that belong to the key of the copy.
            package let filters: [String]
        }

        /// A part of an answer that comes later.
        package struct Increment: Sendable, Hashable {
            /// Names the part in the answer; unique in its operation.
            package let label: String
            /// A Boolean variable: false brings the part at once.
            package let condition: String?
            /// Of a stream the number of items that come at once, if it is known.
            package let initialCount: Int?
        }

        /// The value is stale once it is older.
        package var maxAge: Duration?
        /// The copy that a handler keeps of the field.
        package var handle: Handle?
        /// Later parts: the items of a list, or the fields of an inline fragment.
        package var increment: Increment?
        /// What to do if the field has no value; nil: nothing is required.
        package var required: RequiredAction?
        /// What becomes of errors below; nil: they are not caught here.
        package var catches: CatchTarget?
        /// A field of the client's own schema, which no answer brings.
        package var isClient = false
        /// Any error below that is not caught fails the read.
        package var throwsOnFieldError = false

        /// No marks.
        package init() {}
        /// No marks: nothing was asked for.
        package static let none = Marks()
        /// True if nothing was asked for.
        package var isEmpty: Bool { self == .none }
    }
}

extension SelectionPlan.Marks {
    /// Where marks stand decides which may.
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
