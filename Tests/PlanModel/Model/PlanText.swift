import Foundation

/// A selection plan, parsed from its text by the grammar of proposal 0001. The parser shares no code with the compiler.
final class PlanSet: Sendable {
    let items: [Item]

    init(items: [Item]) { self.items = items }

    enum Item: Sendable {
        case field(Field)
        case inline(Inline)
        case spread(Spread)
    }

    struct Field: Sendable {
        let responseKey: String
        let name: String
        let arguments: String
        let type: PlanType
        let condition: PlanCondition
        /// Whether the plan says that the field is never in an answer.
        let isClient: Bool
        let selections: PlanSet?
    }

    struct Inline: Sendable {
        /// The type; empty if every object matches.
        let type: String
        let isAbstract: Bool
        let condition: PlanCondition
        let selections: PlanSet
    }

    struct Spread: Sendable {
        let fragment: String
        /// The type; nil if every object matches.
        let type: String?
        let condition: PlanCondition
    }
}

/// A disjunction of conjunctions. A condition without alternatives is always true.
struct PlanCondition: Sendable {
    var alternatives: [[(variable: String, isNegated: Bool)]] = []

    func holds(_ values: [String: Bool]) -> Bool {
        alternatives.isEmpty
            || alternatives.contains { $0.allSatisfy { (values[$0.variable] ?? false) != $0.isNegated } }
    }
}

/// The wrappers of a type from the outside to the inside, and the name of the innermost type.
struct PlanType: Sendable {
    /// `[` for a list, `!` for non-null.
    var wrappers = ""
    var named = ""
}

/// A mistake in the text of a plan.
struct PlanTextError: Error, CustomStringConvertible {
    let description: String
}

struct PlanTextReader {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func read(_ text: String) throws -> PlanSet {
        var reader = PlanTextReader(text)
        if reader.take("(") { try reader.skipBalanced() }
        _ = try reader.marks()
        let set = try reader.selections()
        guard reader.position == reader.bytes.count else { throw reader.error("text after the plan") }
        return set
    }

    private func error(_ message: String) -> PlanTextError {
        PlanTextError(description: "\(message) at \(position) of plan \(String(decoding: bytes, as: UTF8.self))")
    }

    private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws {
        guard take(character) else { throw error("'\(character)' is missing") }
    }

    private mutating func name() throws -> String {
        let start = position
        while (byte | 32 >= 97 && byte | 32 <= 122) || (byte >= 48 && byte <= 57) || byte == 95 { position += 1 }
        guard position > start else { throw error("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips to the end of the group whose opening parenthesis was just taken.
    private mutating func skipBalanced() throws {
        var depth = 1
        while depth > 0 {
            guard position < bytes.count else { throw error("a parenthesis is open") }
            if take("\"") {
                while byte != UInt8(ascii: "\"") {
                    guard position < bytes.count else { throw error("a string is open") }
                    position += byte == UInt8(ascii: "\\") ? 2 : 1
                }
            } else if byte == UInt8(ascii: "(") {
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
            }
            position += 1
        }
    }

    /// Reads `@maxAge(seconds)`, `@defer(label)` and `@client`. The plans of random documents have no other marks.
    private mutating func marks() throws -> Set<String> {
        var marks: Set<String> = []
        while take("@") {
            marks.insert(try name())
            if take("(") { try skipBalanced() }
        }
        return marks
    }

    private mutating func selections() throws -> PlanSet {
        try expect("{")
        var items: [PlanSet.Item] = []
        while !take("}") {
            if !items.isEmpty { try expect(" ") }
            items.append(try item())
        }
        return PlanSet(items: items)
    }

    private mutating func item() throws -> PlanSet.Item {
        let condition = try condition()
        if take("<") {
            let isAbstract = take("*")
            // A set without a type arrives later, and belongs to every object.
            let type = byte == UInt8(ascii: ">") ? "" : try name()
            try expect(">")
            _ = try marks()
            let inner = try selections()
            return .inline(.init(type: type, isAbstract: isAbstract, condition: condition, selections: inner))
        }
        if take("~") {
            let fragment = try name()
            var type: String?
            if take("<") {
                _ = take("*")
                type = try name()
                try expect(">")
            }
            _ = try marks()
            return .spread(.init(fragment: fragment, type: type, condition: condition))
        }
        let key = try name()
        let field = take("=") ? try name() : key
        var arguments = ""
        if take("(") {
            let start = position
            try skipBalanced()
            arguments = String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        }
        try expect(":")
        let type = try type()
        let isClient = try marks().contains("client")
        let inner = byte == UInt8(ascii: "{") ? try selections() : nil
        return .field(
            .init(
                responseKey: key, name: field, arguments: arguments, type: type, condition: condition,
                isClient: isClient, selections: inner))
    }

    private mutating func condition() throws -> PlanCondition {
        var condition = PlanCondition()
        guard take("[") else { return condition }
        repeat {
            var literals: [(String, Bool)] = []
            repeat {
                let isNegated = take("!")
                literals.append((try name(), isNegated))
            } while take("&")
            condition.alternatives.append(literals)
        } while take("|")
        try expect("]")
        return condition
    }

    private mutating func type() throws -> PlanType {
        var type = PlanType()
        if take("[") {
            let inner = try self.type()
            try expect("]")
            type = PlanType(wrappers: "[" + inner.wrappers, named: inner.named)
        } else {
            while [35, 64, 37, 43, 42].contains(byte) { position += 1 }
            type.named = try name()
            while take("+") { _ = try name() }
        }
        if take("!") { type.wrappers = "!" + type.wrappers }
        return type
    }
}
