// Finds the root fields of the response that an update belongs to.

extension RecordSourceProxy {
    /// The record of the response's root fields; nil without a response.
    public var payload: RecordProxy? { payloadRoot.flatMap(existing) }

    /// Returns an object among the root fields of the response; nil if there is no response, or if the field is null or
    /// missing.
    ///
    /// Without arguments, the field of this name counts, whatever its arguments are, if the response of a mutation or
    /// subscription has only one of the name. If it has the name with other arguments than those that are given, a
    /// ``LogEvent/UnknownName`` says which there are.
    public func rootField(_ name: String, arguments: [String: JSONValue] = [:]) -> RecordProxy? {
        answerField(name, arguments)?.linkedRecord
    }

    /// Returns a list among the root fields of the response; nil if there is no response, or if the field is null or
    /// missing. The arguments count as in ``rootField(_:arguments:)``.
    public func pluralRootField(_ name: String, arguments: [String: JSONValue] = [:]) -> [RecordProxy?]? {
        answerField(name, arguments)?.linkedRecords
    }

    private func answerField(_ name: String, _ arguments: [String: JSONValue]) -> RecordField? {
        guard let payloadRoot else { return nil }
        let root = RecordProxy(source: self, record: payloadRoot)
        let field = root.field(name, arguments: arguments)
        // The root fields of a query are those of all queries.
        guard value(field.key, of: payloadRoot) == nil, names.isBelowCall(payloadRoot) else { return field }
        let others = root.fields(name)
        if arguments.isEmpty, others.count == 1 { return others[0] }
        if !others.isEmpty {
            // The values may be secret.
            let near = others.map { StorageKey(names.name(of: $0.key)).withoutValues }
            names.withSpelling { $0.tell(.rootFieldArguments(name), near: near) }
        }
        return field
    }
}

extension StorageKey {
    /// The name with those of the arguments: `friends(first:,order:)`.
    var withoutValues: String {
        var text = ""
        var depth = 0
        var isInString = false
        var isEscaped = false
        for character in rawValue {
            if isInString {
                if character == "\"", !isEscaped { isInString = false }
                isEscaped = character == "\\" && !isEscaped
                continue
            }
            switch character {
            case "\"": isInString = true
            case "(":
                depth += 1
                text.append(character)
            case "[", "{": depth += 1
            case "]", "}": depth -= 1
            case ":" where depth == 1, "," where depth == 1, ")": text.append(character)
            default: if depth == 0 || text.last != ":" && depth == 1 { text.append(character) }
            }
        }
        return text
    }
}
