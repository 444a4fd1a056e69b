// Scalars have several owners, this one for the mapping; ReadingTheDesign.md names the others.

import BatonCodegen
import BatonDiagnostics
import BatonSyntax

extension ConfigurationReader {
    /// A scalar that is being read, with the places for errors.
    private struct Draft {
        var scalar: Configuration.Scalar
        /// The name of the scalar in the schema.
        let name: String
        var typeSpan: Span?
        var conversionSpan: Span?
    }

    mutating func readScalars(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'scalars'", expected: "an object", node)
            return
        }
        for member in members {
            var draft = Draft(scalar: .init(type: "", span: member.keySpan), name: member.key)
            switch member.node.value {
            case .string:
                guard let type = swiftType("the type of '\(member.key)'", member.node) else { continue }
                if isOfBatonFoundation(type) {
                    (draft.scalar.conversion, draft.conversionSpan) = (type, member.node.span)
                } else {
                    (draft.scalar.type, draft.typeSpan) = (type, member.node.span)
                }
            case .object(let parts): readParts(parts, of: member, &draft)
            default:
                reportType(of: "'scalars.\(member.key)'", expected: "a string or an object", member.node)
                continue
            }
            fill(&draft)
            check(draft)
            configuration.scalars[member.key] = draft.scalar
        }
    }

    private mutating func readParts(_ parts: [JSONNode.Member], of member: JSONNode.Member, _ draft: inout Draft) {
        for part in parts {
            let name = "'scalars.\(member.key).\(part.key)'"
            switch part.key {
            case "type":
                guard let type = swiftType(name, part.node) else { continue }
                (draft.scalar.type, draft.typeSpan) = (type, part.node.span)
            case "module": identifier(name, part.node).map { draft.scalar.module = $0 }
            case "conversion":
                guard let type = swiftType(name, part.node) else { continue }
                (draft.scalar.conversion, draft.conversionSpan) = (type, part.node.span)
            case "conversionModule": identifier(name, part.node).map { draft.scalar.conversionModule = $0 }
            default: reportUnknownKey(part, among: ["type", "module", "conversion", "conversionModule"])
            }
        }
        let isTypeKnown =
            parts.contains { $0.key == "type" } || draft.scalar.conversion.map(isOfBatonFoundation) == true
        if !isTypeKnown {
            report(.configurationValue, "the scalar '\(member.key)' needs a 'type'", at: member.node.span)
        }
    }

    private func isOfBatonFoundation(_ type: String) -> Bool { type.hasPrefix(FoundationConversion.module + ".") }

    /// Fills in the type and modules that follow from a conversion of `BatonFoundation`.
    private mutating func fill(_ draft: inout Draft) {
        guard let name = draft.scalar.conversion, isOfBatonFoundation(name), let span = draft.conversionSpan else {
            return
        }
        guard let conversion = FoundationConversion.find(qualifiedName: name) else {
            let names = FoundationConversion.all.map(\.qualifiedName)
            report(
                .configurationValue,
                "there is no conversion '\(name)'",
                at: span,
                suggestion: Spelling.question(for: name, among: names)
                    ?? "there are " + names.map { "'\($0)'" }.joined(separator: ", ")
            )
            draft.typeSpan = nil
            return
        }
        let type = draft.scalar.type
        if !type.isEmpty, type != conversion.type, type != "Foundation." + conversion.type {
            report(
                .configurationValue,
                "'\(name)' converts to '\(conversion.type)', not to '\(type)'",
                at: draft.typeSpan ?? span,
                suggestion: "leave out the 'type'"
            )
        }
        draft.scalar.type = conversion.type
        draft.scalar.module = conversion.module
        draft.scalar.conversionModule = FoundationConversion.module
    }

    /// Reports types that cannot be used in the generated files: types without a conversion, or without an import.
    private mutating func check(_ draft: Draft) {
        let (scalar, name) = (draft.scalar, draft.name)
        guard let span = draft.typeSpan, !isOfBatonFoundation(scalar.conversion ?? ""),
            let (type, module) = Self.wellKnown(scalar.type, module: scalar.module)
        else { return }
        if scalar.conversion != nil {
            guard scalar.module == nil, module != "Swift", scalar.type == type else { return }
            report(
                .configurationValue,
                "'\(type)' is a type of \(module), which the generated code would not import",
                at: span,
                suggestion: "add \"module\": \"\(module)\", or the name of your module if the type is yours"
            )
            return
        }
        let choices = FoundationConversion.all.filter { $0.type == type || $0.type == type + "64" }.map { conversion in
            "\"\(conversion.qualifiedName)\" for values such as \(conversion.example)"
        }
        let known = choices.isEmpty ? "" : "write \"\(name)\": " + choices.joined(separator: ", or ") + "; "
        report(
            .configurationValue,
            "'\(type)' does not conform to 'ScalarConversion'",
            at: span,
            suggestion: known
                + "a type that converts it is named in 'conversion', the module of a '\(type)' of yours in 'module'"
        )
    }

    /// The type without its module, and the module, if the type is a common one of the standard library or Foundation.
    private static func wellKnown(_ type: String, module: String?) -> (type: String, module: String)? {
        let types = [
            "Foundation": ["Date", "URL", "UUID", "Decimal", "Data"],
            "Swift": ["Int", "Int64", "Int32", "UInt", "UInt64", "UInt32", "Double", "Float", "Bool"],
        ]
        for (owner, types) in types where module == nil || module == owner {
            if let found = types.first(where: { type == $0 || type == owner + "." + $0 }) { return (found, owner) }
        }
        return nil
    }
}
