extension GeneratedCode.VariableEncoder {
    /// Encodes the variables of the operation with an artifact.
    static func encode(
        _ variables: some GeneratedCode.Variables, for artifact: GeneratedCode.OperationArtifact
    ) -> (members: [JSONValue.Member], refusal: RelayError?) {
        encode(variables, artifact.provided, operationName: artifact.name)
    }
}
