extension JSONCursor {
    /// Reads a value of any kind; `depth` is the number of containers around it.
    mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
        switch next {
        case 0x22: return .string(text(try string()))
        case 0x74, 0x66: return .bool(try bool())
        case 0x6E:
            try expectNull()
            return .null
        case 0x5B:
            try enter(depth)
            var values: [JSONValue] = []
            if next == 0x5D {
                position &+= 1
                return .array([])
            }
            repeat { values.append(try value(depth: depth + 1)) } while try continues(until: 0x5D)
            return .array(values)
        case 0x7B:
            try enter(depth)
            var members: [JSONValue.Member] = []
            if next == 0x7D {
                position &+= 1
                return .object([])
            }
            repeat {
                let name = text(try string())
                try expectColon()
                members.append(.init(name, try value(depth: depth + 1)))
            } while try continues(until: 0x7D)
            return .object(Self.withoutRepetition(members))
        default:
            return switch try number() {
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            }
        }
    }

    private mutating func enter(_ depth: Int) throws(JSONFailure) {
        guard depth < Self.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: Self.maximumDepth), offset: position)
        }
        position &+= 1
        skipSpace()
    }

    private static func withoutRepetition(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        var positions: [ExactText: Int] = [:]
        for (index, member) in members.enumerated() { positions[ExactText(member.name)] = index }
        guard positions.count < members.count else { return members }
        return members.enumerated().filter { positions[ExactText($1.name)] == $0 }.map(\.element)
    }
}
