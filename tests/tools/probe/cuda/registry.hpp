#pragma once

#include <fmt/format.h>

#include <list>
#include <map>
#include <string>

#include "tests/tools/probe/cuda/fake_device.hpp"

namespace vgsim::fake {

/// Objects by handle. Handles are never reused, so that the use of a destroyed object is
/// detected.
template <class Object, class Handle>
class Registry {
 public:
  explicit Registry(const char* kind) : kind_(kind) {}

  Handle make(Object object) {
    objects_.push_back(std::move(object));
    const auto handle = reinterpret_cast<Handle>(&objects_.back());
    live_[handle] = &objects_.back();
    return handle;
  }

  /// Null, and a misuse of `call`, for an unknown or destroyed object.
  [[nodiscard]] Object* find(const char* call, Handle handle) const {
    const auto found = live_.find(handle);
    if (found != live_.end()) return found->second;
    misuse(fmt::format("{}: a {} that does not exist", call, kind_));
    return nullptr;
  }

  void destroy(Handle handle) { live_.erase(handle); }

  [[nodiscard]] const std::map<Handle, Object*>& live() const { return live_; }
  [[nodiscard]] const char* kind() const { return kind_; }

 private:
  const char* kind_;
  std::list<Object> objects_;
  std::map<Handle, Object*> live_;
};

/// Reports what a library still has at the program's end.
template <class Objects>
void report_live(const Objects& objects) {
  if (!objects.live().empty()) {
    misuse(fmt::format("{} x {} left at the end", objects.live().size(), objects.kind()));
  }
}

}  // namespace vgsim::fake
