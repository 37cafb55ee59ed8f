#pragma once

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

/// Every parameter that some model reads: the program knows only their names and units, what they
/// mean and are worth stands in `configs/parameters/`.
[[nodiscard]] const std::map<std::string, ParameterUnit>& declared_parameters();

/// What tells a parameter of a machine better than its default.
struct MeasuredBy {
  std::string what;     ///< in words
  std::string command;  ///< what to run, or where to look
};

/// A constant of the models. Times are in picoseconds, rates in bytes per second, sizes in bytes.
struct Parameter {
  ParameterUnit unit{};
  Uncertain quantity;
  bool spreads = false;    ///< low and high are known
  std::int64_t whole = 0;  ///< the value of those that are no plain numbers, exactly
  std::string meaning;     ///< in words
  std::string written;     ///< the value, as its file has it: "2.0 us"
  std::string low;         ///< the same of the interval; empty where none is stated
  std::string high;
  std::string source;  ///< in words, with the kind of evidence: "fit of ... (measured)"
  std::string note;
  std::optional<MeasuredBy> measured_by;
};

/// The constants of the models by name. Cheap to copy: copies share what they have in common.
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

  /// A time, rate or number with its spread; nothing where none is stated.
  [[nodiscard]] std::optional<Uncertain> uncertain(const std::string& name) const;
  /// Names of those that have one.
  [[nodiscard]] std::vector<std::string> uncertain_names() const;
  /// The same with these instead; `source` says where they are from.
  [[nodiscard]] Parameters with(const std::map<std::string, Uncertain>& others,
                                const std::string& source) const;

  /// The same, which tells `used` of each parameter whose value is asked for.
  [[nodiscard]] Parameters noting(std::shared_ptr<UsedParameters> used) const;

  /// "2.0 us: fit of ... (measured)": the value as written and its source, for results.
  [[nodiscard]] std::string describe(const std::string& name) const;
  /// All that is known of one. Does not count as asking for its value.
  [[nodiscard]] const Parameter& at(const std::string& name) const;
  [[nodiscard]] const Entries& all() const { return entries_; }
  /// Whether a parameter has the same value, from the same source, there.
  [[nodiscard]] bool is_as_in(const Parameters& other, const std::string& name) const;

 private:
  [[nodiscard]] const Parameter& asked_for(const std::string& name) const;

  Entries entries_;
  std::shared_ptr<UsedParameters> used_;  ///< or nullptr
};

/// A quantity as it is written in a file: with its unit.
[[nodiscard]] std::string in_words(const std::string& name, double amount);

}  // namespace vgsim::calibration
