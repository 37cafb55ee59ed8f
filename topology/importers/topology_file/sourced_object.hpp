#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// A JSON object of a topology file under construction: values with their sources; "from" is the
/// last key.
class SourcedObject {
 public:
  using Json = nlohmann::ordered_json;

  template <class T, class ToJson>
  void put(const char* key, const Maybe<T>& stated, ToJson to_json) {
    if (stated) put(key, *stated, to_json);
  }
  template <class T, class ToJson>
  void put(const char* key, const Stated<T>& stated, ToJson to_json) {
    json_[key] = to_json(stated.value);
    sources_.emplace_back(key, stated.source);
  }
  template <class T>
  void put(const char* key, const Maybe<T>& stated) {
    put(key, stated, [](const T& value) { return Json(value); });
  }
  template <class T>
  void put(const char* key, const Stated<T>& stated) {
    put(key, stated, [](const T& value) { return Json(value); });
  }
  /// A value without a source.
  void put_plain(const char* key, Json value) { json_[key] = std::move(value); }
  void list_unknown(std::vector<std::string> keys) { unknown_ = std::move(keys); }

  /// The default source of objects inside this one: the most frequent source of the values here,
  /// the first of several; `around` if all values have it, or there are none.
  [[nodiscard]] std::string default_source(const std::string& around) const;
  /// The object; "from" is omitted if all values have the source `around`, the default of the
  /// enclosing object.
  [[nodiscard]] Json finish(const std::string& around);
  /// The object, with `source` as the default.
  [[nodiscard]] Json finish_as(const std::string& source);

 private:
  Json json_ = Json::object();
  std::vector<std::pair<std::string, std::string>> sources_;  ///< key, source
  std::vector<std::string> unknown_;
};

}  // namespace vgsim::topology::inventory
