import Devices
import Foundation
import ProviderStyles

/// The provider apps that a program adds at its start.
package enum AddedStyles {
  /// Adds provider apps to those that worlds can name. Ends the process with 2 if a name is taken.
  package static func add(_ styles: [any ProviderStyle]) {
    for style in styles where !ProviderCatalogue.add(style) {
      StandardError.write("Error: two provider apps have the style '\(style.name)'; give yours another name")
      exit(2)
    }
  }
}
