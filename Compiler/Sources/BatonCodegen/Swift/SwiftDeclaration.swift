/// A declaration in a file or in the body of a type.
package enum SwiftDeclaration: Sendable {
    case type(SwiftTypeDeclaration)
    case variable(SwiftVariable)
    case function(SwiftFunction)
    /// Short declarations that share a line.
    case line([SwiftDeclaration])
    /// The cases of one `case`. A comment belongs to all of them.
    case enumCases(SwiftHead, [SwiftEnumCase])
    case `extension`(SwiftExtension)
    case `typealias`(SwiftHead, String, SwiftType)
}

/// The comment, attributes and modifiers before a declaration.
package struct SwiftHead: Sendable {
    /// The documentation as plain text of any number of lines; the printer turns it into comments.
    package var documentation: String?
    /// The message of `@available(*, deprecated)`, or nil.
    package var deprecation: String?
    /// The modifiers in their order, such as `public`, `static`.
    package var modifiers: [String]

    package init(documentation: String? = nil, deprecation: String? = nil, modifiers: [String] = []) {
        self.documentation = documentation
        self.deprecation = deprecation
        self.modifiers = modifiers
    }

    /// Whether there are only modifiers. These stand on the line of the declaration.
    var isPlain: Bool { documentation == nil && deprecation == nil }
}

package struct SwiftTypeDeclaration: Sendable {
    package enum Keyword: String, Sendable {
        case `struct`
        case `enum`
    }

    package var head: SwiftHead
    package var keyword: Keyword
    package var name: String
    package var inheritance: [SwiftType]
    /// Members that the printer puts on the line of the head if they fit.
    package var lead: [SwiftDeclaration]
    package var members: [SwiftDeclaration]

    package init(
        _ head: SwiftHead,
        _ keyword: Keyword,
        _ name: String,
        _ inheritance: [SwiftType],
        lead: [SwiftDeclaration] = [],
        members: [SwiftDeclaration]
    ) {
        self.head = head
        self.keyword = keyword
        self.name = name
        self.inheritance = inheritance
        self.lead = lead
        self.members = members
    }
}

package struct SwiftVariable: Sendable {
    package var head: SwiftHead
    package var isConstant: Bool
    package var name: String
    package var type: SwiftType?
    package var value: SwiftExpression?
    /// The body of a computed property.
    package var getter: [SwiftStatement] = []
    /// The body of the setter; the new value is `newValue`.
    package var setter: [SwiftStatement] = []
    /// Whether the setter does not change the struct itself.
    package var isSetNonmutating = false
    /// Whether nobody may call the getter.
    package var isSetOnly = false

    package init(
        _ head: SwiftHead,
        isConstant: Bool,
        _ name: String,
        _ type: SwiftType?,
        value: SwiftExpression? = nil,
        getter: [SwiftStatement] = [],
        setter: [SwiftStatement] = []
    ) {
        self.head = head
        self.isConstant = isConstant
        self.name = name
        self.type = type
        self.value = value
        self.getter = getter
        self.setter = setter
    }
}

package struct SwiftFunction: Sendable {
    package enum Kind: Sendable, Hashable {
        case function(String)
        case initializer
    }

    package var head: SwiftHead
    package var kind: Kind
    package var parameters: [SwiftParameter]
    /// The error of an asynchronous function; nil for a function that returns at once.
    package var asyncError: SwiftType?
    /// The error of a function that returns at once; nil if it does not throw.
    package var error: SwiftType?
    package var result: SwiftType?
    package var body: [SwiftStatement]

    package init(
        _ head: SwiftHead,
        _ kind: Kind,
        _ parameters: [SwiftParameter],
        asyncError: SwiftType? = nil,
        error: SwiftType? = nil,
        result: SwiftType? = nil,
        body: [SwiftStatement]
    ) {
        self.error = error
        self.head = head
        self.kind = kind
        self.parameters = parameters
        self.asyncError = asyncError
        self.result = result
        self.body = body
    }
}

package struct SwiftParameter: Sendable {
    package enum Label: Sendable, Hashable {
        /// The label equals the name.
        case sameAsName
        case none
        case named(String)
    }

    package var label: Label
    package var name: String
    package var type: SwiftType
    package var isInout: Bool
    package var defaultValue: SwiftExpression?

    package init(
        label: Label = .sameAsName,
        _ name: String,
        _ type: SwiftType,
        isInout: Bool = false,
        defaultValue: SwiftExpression? = nil
    ) {
        self.label = label
        self.name = name
        self.type = type
        self.isInout = isInout
        self.defaultValue = defaultValue
    }
}

package struct SwiftEnumCase: Sendable {
    package var name: String
    package var payload: [SwiftType]

    package var rawValue: String?

    package init(_ name: String, payload: [SwiftType] = [], rawValue: String? = nil) {
        self.rawValue = rawValue
        self.name = name
        self.payload = payload
    }
}

package struct SwiftExtension: Sendable {
    package var extended: SwiftType
    /// The requirement after `where`, such as `Operation == FilmListQuery`.
    package var requirement: (left: SwiftType, right: SwiftType)?
    package var members: [SwiftDeclaration]

    package init(
        _ extended: SwiftType,
        where requirement: (left: SwiftType, right: SwiftType)? = nil,
        members: [SwiftDeclaration]
    ) {
        self.extended = extended
        self.requirement = requirement
        self.members = members
    }
}
