import Baton

/// The values of scalars by the names of fields and of scalars, for what an app shows.
///
/// A row is found by the whole name of a field, by its last two words, or by its last word. What no row knows is a text
/// with the field's name and a number.
enum LeafTable {
    /// The form that the type of a field asks for.
    enum Form {
        case text
        case int
        case float
    }

    /// One row of the table: names of fields, names of scalars, and what they stand for.
    struct Row: Sendable {
        var names: String = ""
        var scalars: String = ""
        let value: @Sendable (World.Draw, Form) -> JSONValue?
    }

    /// The value of a scalar for a field.
    static func value(of scalar: String, _ draw: World.Draw) -> JSONValue {
        switch scalar {
        case "Boolean": return .bool(draw.number & 1 == 0)
        case "ID": return .string("\(draw.fieldName):\(draw.int(1...100))")
        case "Int": return row(for: draw.fieldName)?.value(draw, .int) ?? .int(draw.int(1...100))
        case "Float":
            return row(for: draw.fieldName)?.value(draw, .float) ?? .double(Double(draw.int(1...10_000)) / 100)
        case "String": break
        default:
            if let row = byScalar[scalar.lowercased()], let value = rows[row].value(draw, .text) { return value }
        }
        return row(for: draw.fieldName)?.value(draw, .text) ?? .string("\(draw.fieldName) \(draw.int(1...100))")
    }

    /// Whether the ids of a scalar have a form of their own.
    static func knowsIDs(of scalar: String) -> Bool { ["uuid", "guid"].contains(scalar.lowercased()) }

    /// Whether the values of a scalar are whole numbers.
    static func isNumber(_ scalar: String) -> Bool { ["long", "bigint", "int64"].contains(scalar.lowercased()) }

    private static func row(for name: String) -> Row? {
        let words = words(of: name)
        for count in [words.count, 2, 1] where count <= words.count {
            if let row = byName[words.suffix(count).joined()] { return rows[row] }
        }
        return nil
    }

    /// The words of a name in lower case: `htmlUrl`, `html_url` and `HTMLUrl` have two.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasUpper = true
        for character in name {
            let isUpper = character.isUppercase
            if character == "_" || isUpper && !wasUpper {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if character != "_" { word += character.lowercased() }
            wasUpper = isUpper
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static let byName = index(\.names)
    private static let byScalar = index(\.scalars)

    private static func index(_ names: (Row) -> String) -> [String: Int] {
        var index: [String: Int] = [:]
        for (number, row) in rows.enumerated() {
            for name in names(row).split(separator: " ") { index[String(name)] = number }
        }
        return index
    }
}
