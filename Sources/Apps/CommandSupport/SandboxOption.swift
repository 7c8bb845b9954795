import ArgumentParser
import Vocabulary

extension WorldDescription.SandboxPlace: ExpressibleByArgument {}

/// The option `--sandbox` of the commands that run worlds.
package enum SandboxOption {
  /// The help of the option.
  package static let help: ArgumentHelp = "The place of every device's request sandbox; the default is the world's."
  /// The help of the option of a search.
  package static let searchHelp: ArgumentHelp = """
    The place of every device's request sandbox; in-process, which is not confined, takes less time than process.
    """
}
