import BatonCompiler

/// What a round has seen of a project. The next round uses it to compare only the files that events name.
struct SeenProject: Sendable {
    let search: ProjectSearch
    let start: RoundStart
    let states: ProjectStates
    /// Whether the artifacts are known to be as the table says. After an error they may be different, until a later
    /// round has made a table.
    var areArtifactsKnown: Bool
    /// The paths that are no documents and that matter all the same: files that are read, files to which links lead,
    /// and the files and folders that entries of the configuration name.
    private let others: Set<AbsolutePath>
    /// The folders in which files are found, and those above them.
    private let folders: Set<AbsolutePath>

    init(
        _ search: ProjectSearch, _ start: RoundStart, _ states: ProjectStates, areArtifactsKnown: Bool,
        configurationPath: AbsolutePath
    ) {
        self.areArtifactsKnown = areArtifactsKnown
        (self.search, self.start, self.states) = (search, start, states.withoutTexts)
        let inputs = start.inputs
        var others = start.files.targets.union(start.files.schema + start.files.schemaExtensions)
        for entry in inputs.schema + inputs.schemaExtensions + inputs.documents {
            others.insert(AbsolutePath(entry.text, relativeTo: inputs.base))
        }
        others.insert(configurationPath)
        others.insert(InputFile.identity(of: configurationPath))
        self.others = others
        var folders: Set<AbsolutePath> = []
        for folder in search.folders {
            var folder = folder
            while folders.insert(folder).inserted { folder = folder.parent }
        }
        self.folders = folders
    }

    /// Makes a copy with other states.
    private init(_ seen: SeenProject, _ states: ProjectStates) {
        (search, start, others, folders) = (seen.search, seen.start, seen.others, seen.folders)
        self.states = states.withoutTexts
        areArtifactsKnown = seen.areArtifactsKnown
    }

    func with(_ states: ProjectStates) -> SeenProject { SeenProject(self, states) }

    /// The documents among these entries, all of which may have changed. Nil if a file that is no document may have
    /// changed, or if the list of files may be another one. The function ignores entries that a round neither reads nor
    /// writes, and artifacts that are as the table says.
    func documents(among entries: Set<AbsolutePath>, _ table: ProjectTable?) -> Set<AbsolutePath>? {
        if states.isIncomplete { return nil }
        var documents: Set<AbsolutePath> = []
        for path in entries {
            let kind = EntryKind(at: path)
            if isDocument(path) {
                guard kind == .file, !start.files.links.contains(path) else { return nil }
                documents.insert(path)
            } else if others.contains(path) || folders.contains(path) {
                return nil
            } else if path == start.configuration.persistedFile {
                guard let persisted = table?.persisted, ArtifactStates.isSame(persisted) else { return nil }
            } else if path.parent == start.configuration.outputDirectory {
                guard isUntouchedOutput(path, kind, table) else { return nil }
            } else {
                switch kind {
                case .none where path.name != Configuration.fileName: break
                case .file where !FileFinder.mayBeInput(path.name): break
                default: return nil
                }
            }
        }
        return documents
    }

    private func isDocument(_ path: AbsolutePath) -> Bool {
        let index = states.documents.partitioningIndex { $0.path >= path }
        return index < states.documents.count && states.documents[index].path == path
    }

    /// Whether an entry of the output folder is an artifact in the state that the table says, or no artifact at all.
    private func isUntouchedOutput(_ path: AbsolutePath, _ kind: EntryKind?, _ table: ProjectTable?) -> Bool {
        let name = path.name
        let artifacts = table?.artifacts ?? []
        let index = artifacts.partitioningIndex { $0.name >= name }
        if index < artifacts.count, artifacts[index].name == name {
            return kind == .file
                && ArtifactStates.isUntouched(
                    artifacts[index], in: start.configuration.outputDirectory, at: table?.artifactTime ?? 0)
        }
        return kind == nil || kind == .file && !name.hasSuffix(ArtifactPlan.suffix)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element belongs to the second part, in a collection in which such elements stand last.
    fileprivate func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
