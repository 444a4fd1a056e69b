/// A view of a plural core with the type of its data.
struct TypedPluralCore<Fragment: GraphQLFragment>: HandleCore {
    typealias Data = [Fragment.Data?]

    let core: PluralFragmentCore

    var environment: RelayEnvironment { core.environment }
    var observers: Observers { core.observers }
    var component: String { core.fragment.artifact.name }

    func reading() -> Reading { core.reading() }

    func result(of reading: Reading) -> QueryResult<Data> {
        switch reading.content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row): .success(row.map { [Fragment.Data(__row: $0)] })
        case .rows(let rows): .success(rows.map { $0.map { Fragment.Data(__row: $0) } })
        }
    }
}
