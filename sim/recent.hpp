#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace vgsim {

/// The last few values of a function that takes long, each kept beside all that it was made from.
/// A value is taken again where what it would be made from is equal, so that nothing has to be
/// forgotten by hand. For threads that ask at once; two that ask for the same may both make it.
template <typename Key, typename Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  /// `make(key)`, or what that was before. What it throws is not kept. Hold what comes back for as
  /// long as it is read: values that others ask for may push it out meanwhile.
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
  std::list<Kept> kept_;  ///< the one that was asked for last comes first
};

}  // namespace vgsim
