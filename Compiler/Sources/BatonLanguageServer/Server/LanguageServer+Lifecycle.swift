import BatonCompiler
import BatonProject

extension LanguageServer {
    mutating func initialize(_ parameters: JSONValue) -> JSONValue {
        phase = .running
        client = ClientCapabilities(parameters["capabilities"])
        var paths = (parameters["workspaceFolders"]?.array ?? []).compactMap { $0["uri"]?.string }
        if paths.isEmpty, let root = parameters["rootUri"]?.string { paths = [root] }
        folders = paths.compactMap { DocumentURI($0).path }
        if folders.isEmpty, let root = parameters["rootPath"]?.string { folders = [AbsolutePath(absolute: root)] }
        for folder in folders { addProjects(in: folder) }
        return [
            "capabilities": Self.capabilities,
            "serverInfo": ["name": "baton", "version": .string(version)],
        ]
    }

    private static let capabilities: JSONValue = [
        "positionEncoding": "utf-16",
        "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
        "completionProvider": ["triggerCharacters": ["$", "@", ".", "(", ":"], "resolveProvider": false],
        "hoverProvider": true,
        "definitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "renameProvider": ["prepareProvider": true],
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "foldingRangeProvider": true,
        "semanticTokensProvider": [
            "legend": ["tokenTypes": SemanticTokens.types, "tokenModifiers": SemanticTokens.modifiers],
            "full": true,
        ],
        "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
        "experimental": ["sentText": true],
    ]

    // MARK: - Projects

    /// Adds the projects below a folder, and the nearest project in a folder around it.
    mutating func addProjects(in folder: AbsolutePath) {
        let finder = FileFinder(base: folder, extensions: ["json"]) { path in
            path.name.hasPrefix(".") || path.name == "node_modules"
        }
        // Nobody wants the whole disk to be searched.
        if folder != folder.parent, case .files(let files) = finder.find("**/" + Configuration.fileName) {
            for file in files.sorted() where file.name == Configuration.fileName { addProject(file) }
        }
        if let around = Configuration.nearest(to: folder) { addProject(around) }
    }

    mutating func addProject(_ configuration: AbsolutePath) {
        if projects[configuration] == nil { projects[configuration] = ServedProject(configuration: configuration) }
    }

    /// Asks the client to send a notification when files change on disk.
    mutating func watchFiles() {
        let patterns = ["**/*.graphql", "**/*.graphqls", "**/*.gql", "**/*.swift", "**/baton.json", "**/*.json"]
        sendRequest(
            "watch", "client/registerCapability",
            [
                "registrations": [
                    [
                        "id": "files", "method": "workspace/didChangeWatchedFiles",
                        "registerOptions": [
                            "watchers": .array(patterns.map { ["globPattern": .string($0)] })
                        ],
                    ]
                ]
            ])
    }

    mutating func filesChanged(_ parameters: JSONValue) {
        for change in parameters["changes"]?.array ?? [] {
            guard let path = change["uri"]?.string.flatMap({ DocumentURI($0).path }) else { continue }
            if path.name == Configuration.fileName {
                if FileKind(at: path) == nil { removeProject(path) } else { addProject(path) }
            }
            lookForFiles(around: path)
        }
    }

    mutating func foldersChanged(_ parameters: JSONValue) {
        func paths(_ key: String) -> [AbsolutePath] {
            (parameters.at("event", key)?.array ?? []).compactMap { $0["uri"]?.string }
                .compactMap { DocumentURI($0).path }
        }
        let removed = paths("removed")
        folders.removeAll(where: removed.contains)
        for (configuration, _) in projects where removed.contains(where: configuration.isInside) {
            if !folders.contains(where: configuration.isInside) { removeProject(configuration) }
        }
        for folder in paths("added") {
            folders.append(folder)
            addProjects(in: folder)
        }
    }

    private mutating func removeProject(_ configuration: AbsolutePath) {
        projects[configuration] = nil
        publish()
    }

    /// Marks the projects whose folder contains a path, so that their next judgement searches the disk again. A
    /// judgement that is under way may find that its project reads the path.
    mutating func lookForFiles(around path: AbsolutePath) {
        for (configuration, project) in projects {
            let reads = project.reads(path) || project.reads(InputFile.identity(of: path))
            guard reads || path.isInside(project.folder) || path == configuration || project.judge == nil else {
                continue
            }
            projects[configuration]?.changes.isAnything = true
        }
    }
}
