enum SampleCall { static let text = "{}" }
