package indirect enum SwiftExpression: Sendable {
    /// The name of a local, a parameter or a type.
    case name(String)
    /// `self`.
    case selfReference
    case string(String)
    case integer(Int)
    case `nil`
    case array([SwiftExpression])
    /// `base.name`, or `.name` without a base.
    case member(SwiftExpression?, String)
    /// `base[label: index]`.
    case `subscript`(SwiftExpression, [SwiftArgument])
    case call(SwiftExpression, [SwiftArgument], layout: SwiftLayout)
    /// `.init` of a type that Swift infers.
    case initializer
    /// `Type.self`.
    case metatype(SwiftType)
    case type(SwiftType)
    /// `{ expression }`; the argument is `$0`.
    case closure(SwiftExpression)
    /// `left ?? right`.
    case coalesce(SwiftExpression, SwiftExpression)
    /// `try await expression`.
    case awaited(SwiftExpression)
    /// `try expression`.
    case tried(SwiftExpression)

    /// A call on one line.
    package static func call(_ function: SwiftExpression, _ arguments: [SwiftArgument] = []) -> SwiftExpression {
        .call(function, arguments, layout: .line)
    }

    /// `$0`.
    package static let closureArgument = SwiftExpression.name("$0")
}

/// The layout of a call's arguments.
package enum SwiftLayout: Sendable, Hashable {
    case line
    /// The arguments on several lines, each filled up to its width. Short arguments at the start follow the
    /// parenthesis.
    case block
}

package struct SwiftArgument: Sendable {
    package var label: String?
    package var value: SwiftExpression
    /// Whether the argument is written after the parentheses, without its label.
    package var isTrailing: Bool

    package init(_ label: String? = nil, _ value: SwiftExpression, isTrailing: Bool = false) {
        self.label = label
        self.value = value
        self.isTrailing = isTrailing
    }
}

package enum SwiftStatement: Sendable {
    case expression(SwiftExpression)
    case assignment(SwiftExpression, SwiftExpression)
    /// `var name = value`.
    case variable(String, SwiftExpression)
    case `return`(SwiftExpression)
    case `switch`(SwiftExpression, [SwiftSwitchCase])
    /// `if let binding = value { body } else if ... else { otherwise }`.
    case choice([Choice], otherwise: SwiftExpression)

    /// A branch of a choice, which is taken if its value is not nil.
    package struct Choice: Sendable {
        package var binding: String
        package var value: SwiftExpression
        package var body: SwiftExpression

        package init(binding: String, value: SwiftExpression, body: SwiftExpression) {
            self.binding = binding
            self.value = value
            self.body = body
        }
    }
}

package struct SwiftSwitchCase: Sendable {
    package enum Pattern: Sendable {
        case expression(SwiftExpression)
        /// `.name(let binding)`.
        case payload(String, binding: String)
        case otherwise
    }

    package var pattern: Pattern
    package var body: SwiftStatement

    package init(_ pattern: Pattern, _ body: SwiftStatement) {
        self.pattern = pattern
        self.body = body
    }
}

extension SwiftExpression {
    var isText: Bool {
        if case .string = self { true } else { false }
    }

    /// Whether the text is certainly longer; false does not mean that it is not. Looks at no more than it needs to.
    func isLonger(than length: Int) -> Bool {
        var left = length
        return !takes(&left)
    }

    /// Takes the least length of the text from what is left; returns whether there was as much.
    private func takes(_ left: inout Int) -> Bool {
        switch self {
        case .name(let name): left -= name.utf8.count
        case .string(let value): left -= value.utf8.count
        case .array(let values): return values.allSatisfy { $0.takes(&left) }
        case .call(let function, let arguments, _):
            return function.takes(&left) && arguments.allSatisfy { $0.value.takes(&left) }
        default: break
        }
        return left >= 0
    }
}
