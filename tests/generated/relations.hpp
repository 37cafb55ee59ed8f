#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/library.hpp"

namespace vgsim::generated {

using Json = nlohmann::ordered_json;

/// What a change may do to a job's time.
enum class Effect {
  kNotSlower,
  kNotFaster,  ///< the way back of such a change
  kSame,
};

/// A scenario after a change.
struct Changed {
  Json scenario;
  std::map<std::string, double> parameters;  ///< at other values, see RunSettings
};

/// A change of a scenario, and what it must not do.
struct Relation {
  std::string name;
  Effect effect = Effect::kNotSlower;
  std::string why;  ///< that is so
  /// Of a scenario without layouts; nothing where it has no place for the change.
  std::function<std::optional<Changed>(const Json&)> change;
  bool whole_training = false;  ///< compare all of it with its interruptions, and not a step
};

[[nodiscard]] std::vector<Relation> relations(const scenario::Library& library);

/// Those of machines, of guests, of jobs, and those that change nothing.
void add_machine_relations(const scenario::Library& library, std::vector<Relation>& relations);
void add_guest_relations(const scenario::Library& library, std::vector<Relation>& relations);
void add_job_relations(const scenario::Library& library, std::vector<Relation>& relations);
void add_other_words(const scenario::Library& library, std::vector<Relation>& relations);

/// Changes every host (VM) with `change`, which returns whether it did; empty if it never did.
[[nodiscard]] std::optional<Changed> each_of(const Json& scenario, const char* kind,
                                             const std::function<bool(Json&)>& change);
/// Another value at a place (a JSON pointer) whose parent is there, or can be made.
[[nodiscard]] std::optional<Changed> with(const Json& scenario, const char* pointer,
                                          const Json& value);
/// Without what is there.
[[nodiscard]] std::optional<Changed> without(const Json& scenario, const char* pointer);
/// A figure with its unit, such as "25 Gbit/s", times a factor.
[[nodiscard]] Json times(const Json& figure, double factor);

}  // namespace vgsim::generated
