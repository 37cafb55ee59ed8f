#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/facts/cited.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere {

/// What the simulation does with an advanced setting of a VM.
enum class SettingEffect : std::uint8_t { kSimulated, kChecked, kNone };

/// The values that it can have.
enum class SettingValue : std::uint8_t { kBoolean, kNumber, kNumbers, kText };

struct Setting {
  std::string name;  ///< '#' represents a number; a final '*' for any text
  SettingValue value{};
  SettingEffect effect{};
  std::string meaning;
  std::string why;  ///< of kNone: why nothing depends on it
};

/// The advanced settings of a VM that are known: all of `configs/vsphere/settings.json`.
class Settings {
 public:
  /// The setting of that name, in any case; nullptr if unknown.
  [[nodiscard]] const Setting* find(std::string_view name) const;
  [[nodiscard]] const std::vector<Setting>& all() const { return settings_; }
  /// Reports unknown names, with the nearest known one, and values of the wrong kind.
  void check(const std::vector<input::Named<std::string>>& given,
             input::Diagnostics& diagnostics) const;

  [[nodiscard]] static tl::expected<Settings, input::Diagnostics> read(
      const input::SourcePtr& file);
  [[nodiscard]] static input::Shape shape();

 private:
  std::vector<Setting> settings_;
};

/// The numbers of "0,2-4"; empty if the text is not such a list.
[[nodiscard]] std::vector<std::int64_t> numbers_of(std::string_view text);

}  // namespace vgsim::vsphere
