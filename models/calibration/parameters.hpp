#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::calibration {

/// The constants of the models, each with its meaning, spread and source, as `configs/parameters/`
/// states them. What every name means stands in those files; the program knows only the names.
class Parameters {
 public:
  /// Reads parameter files. Errors: what does not fit the shape, an unknown source, a name given
  /// twice, a name that the program needs and no file gives.
  [[nodiscard]] static tl::expected<Parameters, input::Diagnostics> read(
      const std::vector<input::SourcePtr>& files);

  /// Each throws std::logic_error for a name that no model declares (a bug).
  [[nodiscard]] SimTime time(const std::string& name) const;
  [[nodiscard]] Bytes bytes(const std::string& name) const;
  [[nodiscard]] BytesPerSecond rate(const std::string& name) const;
  [[nodiscard]] std::int64_t count(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;

  /// "2.0 us (fit of ... (measured))": the value as written and its source, for results.
  [[nodiscard]] std::string describe(const std::string& name) const;
  /// All parameters by name, as written.
  [[nodiscard]] const std::map<std::string, input::Value>& all() const { return values_; }

 private:
  [[nodiscard]] const input::Value& value_of(const std::string& name) const;

  std::map<std::string, input::Value> values_;  ///< name to its object
  std::map<std::string, std::string> sources_;  ///< name to source in words
};

/// The shape of a file in `configs/parameters/`.
[[nodiscard]] input::Shape parameters_shape();

}  // namespace vgsim::calibration
