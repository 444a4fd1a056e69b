/// A view of a plural core with the type of its data.
struct TypedPluralCore<Fragment: GraphQLFragment>: TypedCore {
    typealias Data = [Fragment.Data?]

    let core: PluralFragmentCore

    func result(of reading: Reading) -> QueryResult<Data> {
        switch reading.content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row): .success(row.map { [Fragment.Data(__row: $0)] })
        case .rows(let rows): .success(rows.map { $0.map { Fragment.Data(__row: $0) } })
        }
    }
}
