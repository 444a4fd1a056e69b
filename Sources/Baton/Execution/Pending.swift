extension RelayEnvironment {
    func errors<F: GraphQLFragment>(in reference: FragmentReference<F>) -> [GraphQLError] { [] }
}
