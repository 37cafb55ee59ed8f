#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "models/calibration/used_parameters.hpp"
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

  /// A time, rate or number with its spread; nothing where none is stated.
  [[nodiscard]] std::optional<Uncertain> uncertain(const std::string& name) const;
  /// Names of those that have one.
  [[nodiscard]] std::vector<std::string> uncertain_names() const;
  /// The same with these instead; `source` says where they are from.
  [[nodiscard]] Parameters with(const std::map<std::string, Uncertain>& others,
                                const std::string& source) const;

  /// The same, which tells `used` of each parameter whose value is asked for.
  [[nodiscard]] Parameters noting(std::shared_ptr<UsedParameters> used) const;

  /// What it is, in words.
  [[nodiscard]] std::string meaning(const std::string& name) const;
  /// Where it is from, in words, with the kind of evidence: "fit of ... (measured)".
  [[nodiscard]] const std::string& source(const std::string& name) const {
    return sources_.at(name);
  }
  /// "2.0 us (fit of ... (measured))": the value as written and its source, for results.
  [[nodiscard]] std::string describe(const std::string& name) const;
  /// All parameters by name, as written.
  [[nodiscard]] const std::map<std::string, input::Value>& all() const { return values_; }

 private:
  [[nodiscard]] const input::Value& value_of(const std::string& name) const;

  std::map<std::string, input::Value> values_;  ///< name to its object
  std::map<std::string, std::string> sources_;  ///< name to source in words
  std::shared_ptr<UsedParameters> used_;        ///< or nullptr
};

/// The shape of a file in `configs/parameters/`, and of its "parameters" alone.
[[nodiscard]] input::Shape parameters_shape();
[[nodiscard]] input::Shape parameter_values_shape();

/// What an entry of that shape says. Only for times, rates and numbers.
[[nodiscard]] Uncertain read_uncertain(const std::string& name, const input::Value& entry);

/// The same as it is written in a file: value, low and high with their unit.
[[nodiscard]] std::string in_words(const std::string& name, double amount);

}  // namespace vgsim::calibration
