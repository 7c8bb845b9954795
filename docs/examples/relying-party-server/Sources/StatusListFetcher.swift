import Foundation
import Primitives
import StatusLists
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches status lists, with a limit on their length and their time. Only documents that verified name lists.
final class StatusListFetcher: NSObject, Sendable, URLSessionDataDelegate {
  private static let maximumLength = 2 << 20
  /// The most seconds for a whole answer. URLSession's own limit is one for the time between two parts of it.
  private static let maximumSeconds = 10
  private let proxy: String?
  private let running = Mutex<[Int: Fetch]>([:])

  private struct Fetch {
    var bytes = Data()
    var isComplete = false
    let end: @Sendable (StatusListAnswer) -> Void
  }

  init(proxy: String?) { self.proxy = proxy }

  func fetch(_ list: StatusListLocation) async -> StatusListAnswer {
    let address = proxy.map { "\($0)/\(list.host)\(list.target)" } ?? list.uri
    guard let url = URL(string: address) else { return .unreachable("the address cannot be used") }
    var request = URLRequest(url: url, timeoutInterval: 5)
    request.setValue(list.mediaTypes.joined(separator: ", "), forHTTPHeaderField: "Accept")
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    let deadline = Task {
      try await Task.sleep(for: .seconds(Self.maximumSeconds))
      task.cancel()
    }
    defer { deadline.cancel() }
    return await withCheckedContinuation { continuation in
      let identifier = ObjectIdentifier(task).hashValue
      running.withLock { $0[identifier] = Fetch { continuation.resume(returning: $0) } }
      task.resume()
    }
  }

  func urlSession(
    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }

  func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let length = running.withLock { fetches in
      fetches[ObjectIdentifier(task).hashValue]?.bytes.append(data)
      return fetches[ObjectIdentifier(task).hashValue]?.bytes.count ?? 0
    }
    if length > Self.maximumLength { task.cancel() }
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let fetch = running.withLock({ $0.removeValue(forKey: ObjectIdentifier(task).hashValue) }) else { return }
    let status = (task.response as? HTTPURLResponse)?.statusCode
    guard error == nil, status == 200, fetch.bytes.count <= Self.maximumLength else {
      return fetch.end(.unreachable(error.map { "\($0)" } ?? "status \(status ?? 0)"))
    }
    fetch.end(.token([UInt8](fetch.bytes), fetched: DateTime(Date())))
  }
}
