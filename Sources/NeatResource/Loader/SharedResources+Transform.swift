extension SharedResources {
  /// Has each resource pass through `transform` before it is asked for; nil: none does. Any thread.
  package func setTransform(_ transform: ResourceTransform?) { options.loading.transform.set(transform) }
}
