extension RelayEnvironment {
    /// Reports to the log the required fields without a value that a read found, and a result that is too large.
    func report(_ problems: ReadProblems?, of operation: BoundOperation) {
        guard let problems, isLogging else { return }
        if case .resultTooLarge(let component, let limit)? = problems.failure?.reason {
            emit(
                .resultTooLarge(
                    LogEvent.ResultTooLarge(component: component, limit: limit, operationName: operation.artifact.name))
            )
        }
        for error in problems.logged {
            emit(
                .missingRequiredField(
                    LogEvent.MissingRequiredField(
                        component: error.component, path: error.path, operationName: operation.artifact.name)))
        }
    }
}
