#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace vgsim {

/// Least-recently-used cache of a function: its last `most` values, each with its whole key. Values
/// are reused for equal keys, so no invalidation is needed. Thread-safe; two threads that request
/// the same key at once may both compute it.
template <typename Key, typename Value>
class LruCache {
 public:
  explicit LruCache(std::size_t most) : most_(most) {}

  /// The cached value, or make(key). Exceptions of `make` are not cached. Hold the returned pointer
  /// while the value is used: other threads may evict it from the cache.
  template <typename Make>
  [[nodiscard]] std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    if (auto found = find(key)) return found;
    auto made = std::make_shared<const Value>(make(key));
    const std::lock_guard lock(mutex_);
    kept_.emplace_front(key, made);
    if (kept_.size() > most_) kept_.pop_back();
    return made;
  }

 private:
  using Kept = std::pair<Key, std::shared_ptr<const Value>>;

  [[nodiscard]] std::shared_ptr<const Value> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
      if (!(kept->first == key)) continue;
      kept_.splice(kept_.begin(), kept_, kept);
      return kept->second;
    }
    return nullptr;
  }

  std::size_t most_;
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< most recently used first
};

}  // namespace vgsim
