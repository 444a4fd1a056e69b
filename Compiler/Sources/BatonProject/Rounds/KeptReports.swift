import BatonCompiler
import BatonDiagnostics

/// Warnings of earlier runs that a run reports without finding them again.
struct KeptReports {
    private let workingDirectory: AbsolutePath
    private let start: RoundStart
    private var diagnostics: [KeptDiagnostic] = []
    /// The files with the places of warnings.
    private(set) var paths: Set<AbsolutePath> = []

    init(_ compiler: Compiler, _ start: RoundStart) {
        workingDirectory = compiler.workingDirectory
        self.start = start
    }

    mutating func add(_ kept: [KeptDiagnostic]) {
        diagnostics += kept
        for diagnostic in kept { paths.formUnion(diagnostic.paths) }
    }

    /// Adds the texts that the warnings stand in, in the order in which a run reads them, and reports. False if a text
    /// cannot be read.
    func report(to compiler: inout Compiler, hasDocuments: Bool) -> Bool {
        let files = start.files
        let server = compiler.read(files.schema.filter(paths.contains))
        if hasDocuments { compiler.serverSources = Set(server.map(\.id)) }
        let before = compiler.collected.count
        _ = compiler.read((files.schemaExtensions + files.documents).filter(paths.contains))
        guard compiler.collected.count == before else { return false }
        reportRead(to: &compiler)
        return true
    }

    /// Reports in a run that has read the texts itself.
    func reportRead(to compiler: inout Compiler) {
        let sources = sources(of: compiler)
        compiler.report(diagnostics.map { $0.diagnostic(sources) })
    }

    private func sources(of compiler: Compiler) -> [AbsolutePath: SourceID] {
        var sources: [AbsolutePath: SourceID] = [:]
        for file in compiler.sources.files where file.derivation == nil {
            sources[AbsolutePath(file.path, relativeTo: workingDirectory)] = file.id
        }
        return sources
    }
}
