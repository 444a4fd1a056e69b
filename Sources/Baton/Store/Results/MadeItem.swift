extension GeneratedCode {
    /// The content of one item of a selection set in a result that is made by hand.
    public struct MadeItem: Sendable {
        indirect enum Content: Sendable {
            /// Null, excluded, or of another type.
            case nothing
            case leaf(Value)
            /// An object, or an inline fragment that applies.
            case object(GeneratedCode.Row)
            /// A list of objects, of nulls, or of such lists.
            case list([Content])
            /// A spread that applies.
            case reference(MadeReference)
            /// Errors in place of the value.
            case caught([FieldError])
        }

        let content: Content

        init(_ content: Content) { self.content = content }
    }

    /// The reference of a spread in a result that is made by hand.
    struct MadeReference: Sendable {
        let target: FragmentTarget
        /// The fragment and its data, if they were made by hand too.
        var made: (fragment: FragmentArtifact, data: Row)?
    }
}

// MARK: - Leaves

extension GeneratedCode.MadeItem {
    /// A scalar without a mapping, an enum value, or a list of them.
    public static func leaf(_ value: (some GeneratedCode.Input)?) -> Self {
        .init(value.map { .leaf(Value(made: $0.jsonValue)) } ?? .nothing)
    }

    /// A mapped scalar. The value itself is kept; its JSON is not converted again.
    public static func scalar<Conversion: ScalarConversion>(_ value: Conversion.Value?, _: Conversion.Type) -> Self {
        guard let value else { return .init(.nothing) }
        return .init(.leaf(.scalar(ConvertedScalar(value: value, json: Conversion.encode(value)))))
    }

    /// A list of mapped scalars, or of lists.
    public static func list<Item>(_ items: [Item]?, _ item: (Item) -> Self) -> Self {
        guard let items else { return .init(.nothing) }
        return .init(
            .leaf(
                .list(
                    items.map {
                        if case .leaf(let value) = item($0).content { value } else { .null }
                    })))
    }
}

extension Value {
    /// Makes the stored form of a leaf. The recursion is bounded by the lists of a Swift type.
    fileprivate init(made json: JSONValue) {
        self =
            switch json {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .array(let values): .list(values.map { Value(made: $0) })
            // No leaf type is encoded as an object.
            case .object: .string(json.text)
            }
    }
}

// MARK: - Objects

extension GeneratedCode.MadeItem {
    /// An object, or an inline fragment.
    public static func object(_ object: (some GeneratedCode.SelectionSet)?) -> Self {
        .init(object.map { .object($0.__row) } ?? .nothing)
    }

    /// A list of objects.
    public static func objects<Element>(_ list: ObjectList<Element>?) -> Self { list?.made ?? .init(.nothing) }

    /// The value or the errors of a field with `@catch(to: RESULT)`.
    public static func result<Item>(_ result: FieldResult<Item>, _ item: (Item) -> Self) -> Self {
        switch result {
        case .success(let value): item(value)
        case .failure(let errors): .init(.caught(errors))
        }
    }
}

/// An element of a list that is not an object. Generated structs do not conform, because a conformance costs code for
/// each struct.
private protocol MadeElement {
    var made: GeneratedCode.MadeItem { get }
}

extension ObjectList: MadeElement {
    fileprivate var made: GeneratedCode.MadeItem {
        .init(.list(map { GeneratedCode.MadeItem.element($0).content }))
    }
}

extension Optional: MadeElement where Wrapped: GeneratedCode.ListElement {
    fileprivate var made: GeneratedCode.MadeItem { map { .element($0) } ?? .init(.nothing) }
}

extension GeneratedCode.MadeItem {
    fileprivate static func element(_ element: some GeneratedCode.ListElement) -> Self {
        switch element {
        case let object as any GeneratedCode.SelectionSet: .init(.object(object.__row))
        case let other as any MadeElement: other.made
        default: .init(.nothing)
        }
    }
}
