#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "models/calibration/used_parameters.hpp"
#include "sim/units.hpp"

namespace vgsim::calibration {

enum class ParameterUnit : std::uint8_t { kTime, kBytes, kRate, kCount, kNumber };

/// Every parameter of the models. The program declares only names and units; `configs/parameters/`
/// contains meanings and values.
[[nodiscard]] const std::map<std::string, ParameterUnit>& declared_parameters();

/// The name that files from before the renaming of a parameter have for it: "split_misfit" of
/// "split_model_error"; nothing where it was not renamed. Such files can be read for one release.
[[nodiscard]] std::optional<std::string> former_name(const std::string& parameter);
/// The name of a parameter, from its former one or itself.
[[nodiscard]] std::string current_name(const std::string& written);

/// A way to determine a parameter for a machine better than by its default.
struct MeasuredBy {
  std::string what;     ///< description
  std::string command;  ///< command to run, or place to look
};

/// Machines that the error of a model was measured on.
struct MeasuredOn {
  std::string what;                             ///< "collectives over TCP"
  std::map<std::string, std::size_t> machines;  ///< number by GPU architecture: "hopper"

  [[nodiscard]] std::size_t all() const;
};

/// A constant of the models. Times are in picoseconds, rates in bytes/s, sizes in bytes.
struct Parameter {
  ParameterUnit unit{};
  Uncertain quantity;
  bool spreads = false;    ///< low and high are known
  std::int64_t whole = 0;  ///< exact value of a time, rate or size
  std::string meaning;     ///< description
  std::string written;     ///< the value as in its file: "2.0 us"
  std::string low;         ///< the ends of the interval as in the file; empty without one
  std::string high;
  std::string source;  ///< description, with the kind of evidence: "fit of ... (measured)"
  std::string note;
  std::optional<MeasuredBy> measured_by;
  std::optional<MeasuredOn> measured_on;
};

/// The constants of the models by name. Copies share their contents and are cheap.
class Parameters {
 public:
  using Entries = std::map<std::string, std::shared_ptr<const Parameter>>;

  Parameters() = default;
  explicit Parameters(Entries entries) : entries_(std::move(entries)) {}

  /// Each throws std::logic_error for a name that no model declares (a bug).
  [[nodiscard]] SimTime time(const std::string& name) const;
  [[nodiscard]] Bytes bytes(const std::string& name) const;
  [[nodiscard]] BytesPerSecond rate(const std::string& name) const;
  [[nodiscard]] std::int64_t count(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;

  /// A time, rate or number with its interval; nothing without one.
  [[nodiscard]] std::optional<Uncertain> uncertain(const std::string& name) const;
  /// Names of the parameters with an interval.
  [[nodiscard]] std::vector<std::string> uncertain_names() const;
  /// A copy with these values; `source` describes their origin.
  [[nodiscard]] Parameters with(const std::map<std::string, Uncertain>& others,
                                const std::string& source) const;

  /// A copy that records in `used` each parameter that is read.
  [[nodiscard]] Parameters noting(std::shared_ptr<UsedParameters> used) const;

  /// The value as written and its source, for results: "2.0 us: fit of ... (measured)".
  [[nodiscard]] std::string describe(const std::string& name) const;
  /// The complete entry of a parameter. Does not record it as used.
  [[nodiscard]] const Parameter& at(const std::string& name) const;
  [[nodiscard]] const Entries& all() const { return entries_; }
  /// Whether a parameter has the same value and source in both.
  [[nodiscard]] bool is_as_in(const Parameters& other, const std::string& name) const;

 private:
  [[nodiscard]] const Parameter& asked_for(const std::string& name) const;

  Entries entries_;
  std::shared_ptr<UsedParameters> used_;  ///< or nullptr
};

/// A quantity in file notation, with its unit.
[[nodiscard]] std::string in_words(const std::string& name, double amount);

}  // namespace vgsim::calibration
