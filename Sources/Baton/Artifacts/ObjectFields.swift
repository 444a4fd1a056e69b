/// The scalar fields of an object of an answer, found in its bytes when they are asked for.
///
/// A ``DataIDFunction`` gets them and can use them while it runs; afterwards there is nothing in them.
public struct ObjectFields {
    /// Knows the fields of one object at a time.
    class Reader {
        init() {}

        /// The value of a field of the object that has this turn; nil if there is none.
        func value(of name: String, turn: Int) -> JSONValue? { nil }
    }

    private let reader: Reader
    private let turn: Int

    init(_ reader: Reader, turn: Int) {
        self.reader = reader
        self.turn = turn
    }

    /// Takes the members of a JSON object, for the tests of a data ID function.
    public init(_ object: JSONValue) { self.init(JSONReader(object), turn: 0) }

    /// The value of a field by its name, with its arguments if it has some: a string, a number, a Boolean or null; nil
    /// if the answer did not bring it, or brought a list or an object. Costs a look at the members before it.
    public subscript(name: String) -> JSONValue? { reader.value(of: name, turn: turn) }

    private final class JSONReader: Reader {
        private let object: JSONValue

        init(_ object: JSONValue) { self.object = object }

        override func value(of name: String, turn: Int) -> JSONValue? {
            switch object[name] {
            case .array, .object: nil
            case let value: value
            }
        }
    }
}
