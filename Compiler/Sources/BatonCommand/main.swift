import Foundation

let tool = Tool(
    currentFolder: FileManager.default.currentDirectoryPath,
    output: { FileHandle.standardOutput.write(Data($0.utf8)) },
    errors: { FileHandle.standardError.write(Data($0.utf8)) }
)
exit(tool.run(Array(CommandLine.arguments.dropFirst())))
