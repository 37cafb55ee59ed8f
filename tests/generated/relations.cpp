#include "tests/generated/relations.hpp"

#include <fmt/format.h>

namespace vgsim::generated {

std::optional<Changed> each_of(const Json& scenario, const char* kind,
                               const std::function<bool(Json&)>& change) {
  if (!scenario.contains(kind)) return std::nullopt;
  Changed changed{scenario, {}};
  bool any = false;
  for (auto& [name, one] : changed.scenario[kind].items()) any = change(one) || any;
  return any ? std::optional(changed) : std::nullopt;
}

std::optional<Changed> with(const Json& scenario, const char* pointer, const Json& value) {
  const Json::json_pointer at(pointer);
  if (scenario.contains(at) && scenario[at] == value) return std::nullopt;
  Changed changed{scenario, {}};
  changed.scenario[at] = value;
  return changed;
}

std::optional<Changed> without(const Json& scenario, const char* pointer) {
  const Json::json_pointer at(pointer);
  if (!scenario.contains(at)) return std::nullopt;
  Changed changed{scenario, {}};
  changed.scenario[at.parent_pointer()].erase(at.back());
  return changed;
}

Json times(const Json& figure, double factor) {
  if (figure.is_number()) return figure.get<double>() * factor;
  const std::string text = figure;
  std::size_t read = 0;
  const double value = std::stod(text, &read);
  return fmt::format("{}{}", value * factor, text.substr(read));
}

std::vector<Relation> relations(const scenario::Library& library) {
  std::vector<Relation> made;
  add_machine_relations(library, made);
  add_guest_relations(library, made);
  add_job_relations(library, made);
  add_other_words(library, made);
  return made;
}

}  // namespace vgsim::generated
