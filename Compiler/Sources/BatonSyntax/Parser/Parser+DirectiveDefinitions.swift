import BatonDiagnostics

extension Parser {
    ///     DirectiveDefinition : Description? directive @ Name ArgumentsDefinition? Directives[Const]? repeatable?
    ///         on DirectiveLocations
    ///     DirectiveExtension : extend directive @ Name Directives[Const]
    ///     DirectiveLocations : |? DirectiveLocation (| DirectiveLocation)*
    ///
    /// Directives on directive definitions come from a draft: https://github.com/graphql/graphql-spec/pull/907
    mutating func directive(
        _ description: StringValue?,
        isExtension: Bool,
        from begin: UInt32
    ) throws(Failure) -> DirectiveDefinition {
        advance()
        let nameStart = start
        try expect(.at)
        let name = try name("a directive name")
        var definition = DirectiveDefinition(
            description: description,
            name: Name(name.text, span: Span(source: name.span.source, start: nameStart, end: name.span.end)),
            locations: [],
            isExtension: isExtension
        )
        if isExtension {
            definition.directives = try directives(isConstant: true)
            if definition.directives.isEmpty { throw fail("expected a directive") }
            definition.span = span(from: begin)
            return definition
        }
        do throws(Failure) {
            definition.arguments = try argumentDefinitions()
            definition.directives = try directives(isConstant: true)
            definition.isRepeatable = takeWord("repeatable")
            guard takeWord("on") else { throw fail("expected 'on' and locations") }
            definition.locations = try directiveLocations()
        } catch {
            // The name is known, so that uses of the directive are not reported as unknown.
            skipToDefinition(from: nil)
        }
        definition.span = span(from: begin)
        return definition
    }

    private mutating func directiveLocations() throws(Failure) -> [DirectiveDefinition.Located] {
        var locations: [DirectiveDefinition.Located] = []
        _ = take(.pipe)
        repeat {
            if beginsDefinitionBehindNames { throw fail("expected a directive location") }
            let name = try name("a directive location")
            if let location = DirectiveLocation(rawValue: name.text) {
                locations.append(DirectiveDefinition.Located(location, span: name.span))
            } else {
                report(
                    .syntax,
                    "unknown directive location '\(name.text)'",
                    at: name.span,
                    suggestion: Spelling.question(
                        for: name.text,
                        among: DirectiveLocation.allCases.map(\.rawValue)
                    )
                )
            }
            if isWord("repeatable") {
                report(.syntax, "'repeatable' stands in front of 'on'", at: lexer.span(of: token))
                advance()
            }
        } while takePipe(of: "locations")
        return locations
    }
}
