import Foundation
import FoundationNetworking
import Neatline
import NeatlineFoundation

// The class that the guide from version 6 of the mobile SDK to version 10 shows under "Replaceable HTTP stack",
// word for word but for the imports: classes written by it go on.
class CustomHttpService: HttpServiceInterface {
  func request(for request: HttpRequest, callback: @escaping HttpResponseCallback) -> UInt64 {
    // Make an API request
    var urlRequest = URLRequest(url: URL(string: request.url)!)

    let methodMap: [HttpMethod: String] = [
      .get: "GET",
      .head: "HEAD",
      .post: "POST",
    ]

    urlRequest.httpMethod = methodMap[request.method]!
    urlRequest.httpBody = request.body
    urlRequest.allHTTPHeaderFields = request.headers

    let task = URLSession.shared.dataTask(with: urlRequest) { (data, response, error) in

      let result: Result<HttpResponseData, HttpRequestError>

      if let error = error {
        // Map NSURLError to HttpRequestErrorType
        let requestError = HttpRequestError(type: .otherError, message: error.localizedDescription)
        result = .failure(requestError)
      } else if let response = response as? HTTPURLResponse,
        let data = data
      {

        // Keys are expected to be lowercase
        var headers: [String: String] = [:]
        for (key, value) in response.allHeaderFields {
          guard let key = key as? String,
            let value = value as? String
          else {
            continue
          }

          headers[key.lowercased()] = value
        }

        let responseData = HttpResponseData(
          headers: headers, code: Int64(response.statusCode), data: data)
        result = .success(responseData)
      } else {
        // Error
        let requestError = HttpRequestError(type: .otherError, message: "Invalid response")
        result = .failure(requestError)
      }

      let response = HttpResponse(request: request, result: result)
      callback(response)
    }

    task.resume()

    // Handle used to cancel requests
    return UInt64(task.taskIdentifier)
  }
}
