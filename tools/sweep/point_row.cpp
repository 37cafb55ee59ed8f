#include "tools/sweep/point_row.hpp"

namespace vgsim::sweep {

PointRow read_point(std::string_view line) {
  using Json = nlohmann::ordered_json;
  const Json json = Json::parse(line);
  PointRow row;
  row.index = json.at("index").get<std::uint64_t>();
  row.set = json.at("set");
  if (json.contains("failed")) {
    row.failed = json.at("failed").get<std::string>();
    row.reasons = json.at("error").get<std::vector<std::string>>();
    return row;
  }
  for (const auto& [name, layout] : json.at("layouts").items()) {
    LayoutRow& own = row.layouts.emplace_back();
    own.name = name;
    own.refused = layout.value("refused", false);
    own.rules = layout.at("rules").get<std::vector<std::string>>();
    if (own.refused) continue;
    own.fingerprint = layout.at("fingerprint").get<std::string>();
    for (const auto& [metric, value] : layout.at("metrics").items()) {
      own.metrics.emplace_back(metric, value.get<double>());
    }
  }
  return row;
}

}  // namespace vgsim::sweep
