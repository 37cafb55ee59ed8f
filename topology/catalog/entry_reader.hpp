#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "topology/catalog/parts.hpp"
#include "topology/input/typed.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

/// Reads the values of one checked catalogue entry together with their sources.
class EntryReader {
 public:
  EntryReader(const input::Value& entry, const input::Value& sources)
      : entry_(&entry), sources_(&sources) {}

  /// The sourced value with that name; nothing if the entry has none.
  template <class T>
  [[nodiscard]] std::optional<Sourced<T>> optional(const char* name) const {
    const auto member = input::find(*entry_, name);
    if (!member) return std::nullopt;
    return Sourced<T>{read<T>(*input::find(*member, "value")), source_of(*member)};
  }

  /// The same for required values.
  template <class T>
  [[nodiscard]] Sourced<T> required(const char* name) const {
    return optional<T>(name).value();
  }

  [[nodiscard]] std::string name() const { return input::as_string(*input::find(*entry_, "name")); }

  /// The source of an object with one "source" for all its values, in words.
  [[nodiscard]] std::string source_of(const input::Value& object) const;

 private:
  template <class T>
  [[nodiscard]] static T read(const input::Value& value) {
    if constexpr (std::is_same_v<T, Bytes>)
      return input::as_bytes(value);
    else if constexpr (std::is_same_v<T, BytesPerSecond>)
      return input::as_rate(value);
    else if constexpr (std::is_same_v<T, SimTime>)
      return input::as_time(value);
    else if constexpr (std::is_same_v<T, Flops>)
      return input::as_flops(value);
    else if constexpr (std::is_same_v<T, FlopsPerSecond>)
      return input::as_flops_rate(value);
    else if constexpr (std::is_same_v<T, std::int64_t>)
      return input::as_count(value);
    else if constexpr (std::is_same_v<T, double>)
      return input::as_double(value);
    else if constexpr (std::is_same_v<T, bool>)
      return input::as_bool(value);
    else
      return input::as_string(value);
  }

  const input::Value* entry_;
  const input::Value* sources_;
};

/// Reads a layout of nvlink_layout_shape().
[[nodiscard]] NvLinkLayout read_nvlink_layout(const input::Value& value, std::string source);

}  // namespace vgsim::topology
