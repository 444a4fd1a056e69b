import BatonSchema

extension RoleReader {
    /// The expectation behind the last token.
    var expectation: Expectation {
        for (depth, frame) in frames.enumerated().reversed() {
            switch frame {
            case .document: return .definition
            case .operation, .inline: return .nothing
            case .fragment(.type, _): return .typeCondition(on: nil)
            case .fragment: return .nothing
            case .variables: return .nothing
            case .variable(.type, _, _): return .inputType
            case .variable: return .nothing
            case .selections(let type): return .selection(on: type)
            case .field, .spread, .directive, .argument: continue
            case .aliased(let type): return .selection(on: type)
            case .afterSpread(let type): return .spread(on: type)
            case .condition(let type): return .typeCondition(on: type)
            case .directiveName(let location, _): return .directive(location)
            case .arguments(let owner, let given, let isDeclaring):
                return isDeclaring ? .nothing : .argument(of: owner, given: given)
            case .value(let type), .list(let type): return .value(type, isConstant: isConstant(depth))
            case .variableUse(let type): return .variable(type)
            case .object(let type, let given): return .inputField(of: type, given: given)
            }
        }
        return .definition
    }

    /// Whether the frame is in a default value.
    private func isConstant(_ depth: Int) -> Bool {
        frames[..<depth].contains { if case .variable = $0 { true } else { false } }
    }
}
