/// Collects elements, with `if`, `switch` and `for`. A ``Component`` stands for its content.
public protocol ElementCollecting {}

extension ElementCollecting {
    /// One element.
    public static func buildExpression(_ element: any Element) -> [any Element] { [element] }
    /// An element that may be missing.
    public static func buildExpression(_ element: (any Element)?) -> [any Element] { element.map { [$0] } ?? [] }
    /// Elements in order.
    public static func buildExpression(_ elements: [any Element]) -> [any Element] { elements }
    /// A component.
    public static func buildExpression(_ component: any Component) -> [any Element] { [ComponentElement(component)] }
    /// The elements of all statements.
    public static func buildBlock(_ parts: [any Element]...) -> [any Element] { parts.flatMap { $0 } }
    /// The elements of an `if` without `else`.
    public static func buildOptional(_ part: [any Element]?) -> [any Element] { part ?? [] }
    /// The elements of the first branch.
    public static func buildEither(first part: [any Element]) -> [any Element] { part }
    /// The elements of the second branch.
    public static func buildEither(second part: [any Element]) -> [any Element] { part }
    /// The elements of a loop.
    public static func buildArray(_ parts: [[any Element]]) -> [any Element] { parts.flatMap { $0 } }
}

/// Collects the content of a component or of an element: the only element, or a column of all.
@resultBuilder
public enum ElementBuilder: ElementCollecting {
    /// The only element, or a column of all.
    public static func buildFinalResult(_ parts: [any Element]) -> any Element {
        parts.count == 1 ? parts[0] : Column(parts)
    }
}

/// Collects the elements of a row or a column.
@resultBuilder
public enum ElementsBuilder: ElementCollecting {
    /// The elements in order.
    public static func buildFinalResult(_ parts: [any Element]) -> [any Element] { parts }
}
