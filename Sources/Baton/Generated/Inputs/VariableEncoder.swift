extension GeneratedCode {
    /// Collects the variables of an operation, or the fields of an input object, in the order in which they are added.
    package struct VariableEncoder: Sendable {
        /// The added members, in order.
        package var members: [JSONValue.Member] = []
        /// The names of the members that are nested too deep and were replaced by null.
        private(set) var tooDeep: [String] = []
        /// The greatest depth at which members may be nested.
        private let levels: Int

        /// Creates an encoder without members.
        package init(levels: Int = JSONValue.maximumDepth) {
            self.levels = levels
        }

        /// Encodes the variables of an operation, and returns an error if one of them is nested too deep.
        ///
        /// A variable that is too deep is replaced by an object with the member `client:tooDeep`, so that it is not
        /// taken for null; no request is sent with that object. The variables that providers give come after the
        /// others.
        static func encode(
            _ variables: some GeneratedCode.Variables, _ provided: [ProvidedVariable], operationName: String
        ) -> (members: [JSONValue.Member], refusal: RelayError?) {
            var encoder = Self()
            encoder.encode(variables.__fields)
            encoder.encode(provided)
            guard let first = encoder.tooDeep.first else { return (encoder.members, nil) }
            let members = encoder.members.map { member in
                encoder.tooDeep.contains(member.name)
                    ? .init(member.name, ["client:tooDeep": true]) : member
            }
            return (members, .variableTooDeep(operationName: operationName, variable: first, limit: encoder.levels))
        }

        private mutating func add(_ name: String, _ value: JSONValue?) {
            if let value {
                members.append(.init(name, value))
            } else {
                tooDeep.append(name)
                members.append(.init(name, .null))
            }
        }

        /// Adds the values that providers give.
        package mutating func encode(_ provided: [ProvidedVariable]) {
            for variable in provided { add(variable.name, variable.jsonValue(levels)) }
        }

        /// Adds every value that was not left out, in declaration order.
        package mutating func encode(_ fields: InputFields) {
            for (name, item) in fields.members {
                if case .absent = item { continue }
                add(String(name), item.jsonValue(levels: levels))
            }
        }
    }
}
