extension GeneratedCode.VariableEncoder {
    /// Encodes the variables of the operation with an artifact.
    static func encode(
        _ variables: some GraphQLVariables, for artifact: GeneratedCode.OperationArtifact
    ) -> (members: [JSONValue.Member], refusal: RelayError?) {
        encode(variables, artifact.provided, operationName: artifact.name)
    }
}
