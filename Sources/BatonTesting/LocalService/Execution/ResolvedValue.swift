import Baton

/// Inspects the values that resolvers return, whatever their static type.
///
/// The values are `Any`, because a conditional cast cannot test for `Sendable`. They stay on the executing thread.
enum ResolvedValue {
    /// The result of looking up a field that has no resolver.
    enum Lookup {
        case value(Any?)
        case unknown
    }

    /// The value inside all optionals; nil for nil and for JSON null.
    static func unwrap(_ value: Any?) -> Any? {
        guard var value else { return nil }
        while let optional = value as? any AnyOptional {
            guard let content = optional.content else { return nil }
            value = content
        }
        if let json = value as? JSONValue, case .null = json { return nil }
        return value
    }

    /// The items of a list; nil if the value is not a list.
    static func items(of value: Any) -> [Any]? {
        if let json = value as? JSONValue {
            guard case .array(let items) = json else { return nil }
            return items
        }
        return (value as? any AnyList)?.items
    }

    /// The value inside a `LocalObject`, and the type name of the `LocalObject`; for other values, the value and nil.
    static func object(_ value: Any) -> (source: Any, typeName: String?) {
        guard let object = value as? any AnyObjectWrapper else { return (value, nil) }
        return (object.wrapped, object.typeName)
    }

    /// The value of a field without a resolver: the member, entry or stored property of that name.
    static func field(_ name: String, of source: Any) -> Lookup {
        switch source {
        case let source as any LocalFields:
            switch source.localField(name) {
            case .value(let value): return .value(value)
            case .unknown: return .unknown
            }
        case let source as JSONValue:
            guard case .object = source else { return .unknown }
            return .value(source[name])
        case let source as any AnyDictionary: return .value(source.entry(name))
        default: return property(name, of: source)
        }
    }

    /// The name of the object type that the value itself states; nil if it states none.
    static func typeName(of value: Any) -> String? {
        switch value {
        case let value as any LocalFields: return value.localTypeName
        case let value as JSONValue:
            if case .string(let name) = value["__typename"] { return name }
            return nil
        case let value as any AnyDictionary:
            let name = unwrap(value.entry("__typename"))
            if let name = name as? String { return name }
            if let name = name as? JSONValue, case .string(let text) = name { return text }
            return nil
        default: return nil
        }
    }

    /// Finds a stored property by reflection, in the class of the value or in a superclass.
    private static func property(_ name: String, of source: Any) -> Lookup {
        var mirror: Mirror? = Mirror(reflecting: source)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == name }) { return .value(child.value) }
            mirror = current.superclassMirror
        }
        return .unknown
    }
}

private protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var content: Any? { self }
}

private protocol AnyList {
    var items: [Any] { get }
}

extension Array: AnyList {
    fileprivate var items: [Any] { self }
}

extension ArraySlice: AnyList {
    fileprivate var items: [Any] { Array(self) }
}

private protocol AnyDictionary {
    func entry(_ name: String) -> Any?
}

extension Dictionary: AnyDictionary where Key == String {
    fileprivate func entry(_ name: String) -> Any? { self[name] }
}

private protocol AnyObjectWrapper {
    var typeName: String { get }
    var wrapped: Any { get }
}

extension LocalObject: AnyObjectWrapper {
    fileprivate var wrapped: Any { source }
}
