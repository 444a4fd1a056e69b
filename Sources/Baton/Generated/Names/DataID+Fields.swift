extension DataID {
    /// The scalar fields of one object in a response, which are read from its bytes on demand.
    ///
    /// A ``DataID/Function`` gets these fields. They are empty after the function has returned.
    public struct Fields {
        /// Reads the fields of one object at a time; `turn` numbers the objects.
        class Reader {
            init() {}

            /// Returns the value of a field of the object with this turn; nil if the object has no such field or its
            /// turn is over.
            func value(of name: String, turn: Int) -> JSONValue? { nil }
        }

        private let reader: Reader
        private let turn: Int

        init(_ reader: Reader, turn: Int) {
            self.reader = reader
            self.turn = turn
        }

        /// Takes the members of a JSON object, for tests of a data ID function.
        public init(_ object: JSONValue) { self.init(JSONReader(object), turn: 0) }

        /// The value of a scalar field by its name, with arguments if the field has some: a string, a number, a Boolean
        /// or null.
        ///
        /// Nil if the response did not bring the field, or brought a list or an object. A call takes time linear in the
        /// members that precede the field.
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
}
