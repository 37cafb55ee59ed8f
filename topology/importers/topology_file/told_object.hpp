#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// A JSON object of a topology file while it is written: values with their sources, "from" at the
/// end.
class ToldObject {
 public:
  using Json = nlohmann::ordered_json;

  template <class T, class ToJson>
  void put(const char* key, const Maybe<T>& told, ToJson to_json) {
    if (told) put(key, *told, to_json);
  }
  template <class T, class ToJson>
  void put(const char* key, const Told<T>& told, ToJson to_json) {
    json_[key] = to_json(told.value);
    sources_.emplace_back(key, told.source);
  }
  template <class T>
  void put(const char* key, const Maybe<T>& told) {
    put(key, told, [](const T& value) { return Json(value); });
  }
  template <class T>
  void put(const char* key, const Told<T>& told) {
    put(key, told, [](const T& value) { return Json(value); });
  }
  /// A value of which no one asks where it comes from.
  void put_plain(const char* key, Json value) { json_[key] = std::move(value); }
  void say_not_told(std::vector<std::string> keys) { not_told_ = std::move(keys); }

  /// Where an object inside this one has its values from unless it says so: the source of most of
  /// the values here, the first of several; `around` if they all are from there, or there are none.
  [[nodiscard]] std::string default_source(const std::string& around) const;
  /// The object; "from" is left out if all values come from `around`, the default source of the
  /// object around it.
  [[nodiscard]] Json finish(const std::string& around);
  /// The object, with `source` as the default.
  [[nodiscard]] Json finish_as(const std::string& source);

 private:
  Json json_ = Json::object();
  std::vector<std::pair<std::string, std::string>> sources_;  ///< key, source
  std::vector<std::string> not_told_;
};

}  // namespace vgsim::topology::inventory
