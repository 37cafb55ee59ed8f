#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace vgsim::input {

/// Values by name, in the order of names. Values can be created on first use and then keep their
/// address. Threads can share a constant table.
template <class T>
class NameTable {
  using Made = std::map<std::string, T, std::less<>>;

 public:
  using Names = std::set<std::string, std::less<>>;
  using Make = std::function<T(const std::string& name)>;
  using mapped_type = T;
  using const_iterator = typename Made::const_iterator;

  /// Creates at most that value.
  [[nodiscard]] const_iterator find(std::string_view name) const {
    const auto lock = locked();
    if (later_ != nullptr) {
      const auto unmade = later_->names.find(name);
      if (unmade != later_->names.end()) make(unmade);
    }
    return made_.find(name);
  }
  /// The same. Throws std::out_of_range if the name is unknown.
  [[nodiscard]] const T& at(std::string_view name) const {
    const auto found = find(name);
    if (found == end()) throw std::out_of_range("there is no \"" + std::string(name) + '"');
    return found->second;
  }
  /// Creates all values.
  [[nodiscard]] const_iterator begin() const {
    const auto lock = locked();
    while (later_ != nullptr && !later_->names.empty()) make(later_->names.begin());
    return made_.begin();
  }
  /// This and the functions below create no values.
  [[nodiscard]] const_iterator end() const { return made_.end(); }
  [[nodiscard]] bool contains(std::string_view name) const {
    const auto lock = locked();
    return made_.contains(name) || (later_ != nullptr && later_->names.contains(name));
  }
  [[nodiscard]] std::size_t size() const {
    const auto lock = locked();
    return made_.size() + (later_ != nullptr ? later_->names.size() : 0);
  }

  /// The value with that name, added if it is missing.
  T& operator[](const std::string& name) { return made_[name]; }
  /// Registers `make` to create the values of these names on first use.
  void make_later(Names names, Make make) {
    later_ = std::make_unique<Later>();
    later_->names = std::move(names);
    later_->make = std::move(make);
  }

 private:
  struct Later {
    std::mutex mutex;  ///< guards all mutable members
    Names names;       ///< of values not created yet
    Make make;
  };

  [[nodiscard]] std::unique_lock<std::mutex> locked() const {
    return later_ == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(later_->mutex);
  }
  void make(typename Names::iterator name) const {
    made_.emplace(*name, later_->make(*name));
    later_->names.erase(name);
  }

  mutable Made made_;
  std::unique_ptr<Later> later_;
};

}  // namespace vgsim::input
