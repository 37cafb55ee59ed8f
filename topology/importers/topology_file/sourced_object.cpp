#include "topology/importers/topology_file/sourced_object.hpp"

#include <algorithm>

namespace vgsim::topology::inventory {

std::string SourcedObject::default_source(const std::string& around) const {
  std::string best = around;
  std::ptrdiff_t most = 0;
  for (const auto& [key, source] : sources_) {
    const auto times = std::ranges::count_if(
        sources_, [&source = source](const auto& other) { return other.second == source; });
    if (times > most) {
      most = times;
      best = source;
    }
  }
  return best;
}

SourcedObject::Json SourcedObject::finish(const std::string& around) {
  const bool all_around =
      std::ranges::all_of(sources_, [&](const auto& stated) { return stated.second == around; });
  if (!all_around) return finish_as(default_source(around));
  if (!unknown_.empty()) json_["not_told"] = unknown_;
  return std::move(json_);
}

SourcedObject::Json SourcedObject::finish_as(const std::string& source) {
  if (!unknown_.empty()) json_["not_told"] = unknown_;
  Json exceptions = Json::object();
  for (const auto& [key, told_by] : sources_) {
    if (told_by != source) exceptions[key] = told_by;
  }
  if (exceptions.empty()) {
    json_["from"] = source;
  } else {
    Json from = {{"*", source}};
    from.update(exceptions);
    json_["from"] = std::move(from);
  }
  return std::move(json_);
}

}  // namespace vgsim::topology::inventory
