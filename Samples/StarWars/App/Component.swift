import Baton

/// The components of a list or of an optional part of a screen, each drawn again after its own data has changed.
typealias ComponentList<Fragment: GraphQLFragment> = RenderedFragments<Fragment, Int, [StyledLine]>

extension RenderedFragments where Input == Int, Frame == [StyledLine] {
    /// Makes components that are drawn by a function of their data and the width.
    init(_ render: @escaping (_ data: Fragment.Data, _ width: Int) -> [StyledLine]) {
        self.init { (result: QueryResult<Fragment.Data>, width: Int) in
            switch result {
            case .loading: [StyledLine("...", .dim)]
            case .failure(let error): [StyledLine(error.description)]
            case .success(let data): data.map { render($0, width) } ?? []
            }
        }
    }

    mutating func show(_ references: [FragmentReference<Fragment>], in app: isolated App) {
        show(references, in: app.environment)
    }

    /// The lines of all components in order. The app is notified when one of them must be drawn again.
    func lines(width: Int, in app: isolated App) -> [StyledLine] {
        frames(width, on: app) { $0.needsDisplay() }.flatMap { $0 }
    }
}
