/// A view of a paged core with the type of its data.
struct TypedPagedCore<Query: GraphQLQuery>: TypedCore {
    typealias Data = [Query.Data]

    let core: PagedQueryCore

    func result(of reading: Reading) -> QueryResult<Data> {
        switch reading.content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row): .success(row.map { [Query.Data(__row: $0)] })
        case .rows(let rows): .success(rows.compactMap { $0.map { Query.Data(__row: $0) } })
        }
    }
}
