#include "models/questions/read/tolerances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/questions/check/change_words.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

constexpr const char* kDefault = "default";

Shape percentage_shape() {
  static constexpr const char* kNoun = "a share such as \"0.5 %\"";
  return pattern_string(
      kNoun, "^[0-9]+(\\.[0-9]+)? ?%$", [](std::string_view text) -> std::optional<std::string> {
        if (text.find_first_not_of("0123456789.% ") == text.npos && read_percentage(text)) {
          return std::nullopt;
        }
        return kNoun;
      });
}

}  // namespace

double Tolerances::of(const std::string& figure) const {
  const auto own = figures.find(figure);
  if (own != figures.end()) return own->second.share;
  const auto of_all_sizes = figures.find(figure.substr(0, figure.find('@')));
  return of_all_sizes != figures.end() ? of_all_sizes->second.share : fallback;
}

Shape tolerances_shape() {
  return map_shape("name of a figure, or \"default\" for all others", percentage_shape());
}

tl::expected<Tolerances, Diagnostics> read_tolerances(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, tolerances_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Tolerances tolerances;
  for (const Member& member : document->members()) {
    const double share = read_percentage(member.value.string()).value_or(0.0);
    if (member.name == kDefault) {
      tolerances.fallback = share;
    } else {
      tolerances.figures[member.name] = {share, member.key, member.value.pointer()};
    }
  }
  return tolerances;
}

void check_names(const Tolerances& tolerances, const std::vector<std::string>& known,
                 Diagnostics& diagnostics) {
  std::set<std::string> names(known.begin(), known.end());
  for (const std::string& name : known) names.insert(name.substr(0, name.find('@')));
  std::vector<std::string> short_names = {kDefault};
  std::copy_if(names.begin(), names.end(), std::back_inserter(short_names),
               [](const std::string& name) { return name.find('@') == name.npos; });
  for (const auto& [name, entry] : tolerances.figures) {
    if (names.contains(name)) continue;
    diagnostics.error(codes::kUnknownKey.code, entry.location, entry.pointer,
                      fmt::format("no result has a figure \"{}\"", name), one_of(name, short_names),
                      suggest(name, short_names));
  }
}

}  // namespace vgsim::scenario
