#include "tools/sweep/store_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/manifest.hpp"
#include "tools/files/digest.hpp"

namespace vgsim::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "vgsim.sweep-results/1";
constexpr std::string_view kSeal = ",\"xxh3\":\"";
constexpr std::string_view kSealEnd = "\"}";
constexpr std::size_t kSealSize = kSeal.size() + 16 + kSealEnd.size();

std::string seal(const Json& object) {
  std::string line = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  line.pop_back();  // the bracket
  const std::string checksum = files::digest_of(line);
  line += kSeal;
  line += checksum;
  line += kSealEnd;
  return line;
}

Json layout_json(const scenario::PointLayout& layout) {
  Json out = Json::object();
  if (layout.refused) {
    out["refused"] = true;
  } else {
    out["metrics"] = Json::object();
    for (const scenario::Metric& metric : layout.metrics) {
      if (std::isfinite(metric.value)) out["metrics"][metric.name] = metric.value;
      if (metric.low) out["metrics"][metric.name + "_low"] = *metric.low;
      if (metric.high) out["metrics"][metric.name + "_high"] = *metric.high;
    }
    if (layout.difference) out["difference"] = layout.difference->statement;
    out["fingerprint"] = layout.fingerprint;
  }
  out["rules"] = layout.rules;
  return out;
}

}  // namespace

std::string header_line(const StoreHeader& header) {
  Json out{{"format", kFormat},          {"vgsim", header.vgsim},   {"sweep", header.sweep},
           {"digest", header.digest},    {"models", header.models}, {"points", header.points},
           {"pointers", header.pointers}};
  if (!header.shard.whole()) {
    out["shard"] = fmt::format("{}/{}", header.shard.number, header.shard.of);
  }
  return seal(out);
}

std::string point_line(std::uint64_t index, const scenario::PointResult& point) {
  Json out{{"index", index}, {"set", Json::object()}};
  for (const scenario::Override& each : point.set)
    out["set"][each.pointer] = scenario::to_ordered_json(each.value);
  if (point.failure) {
    out["failed"] = to_string(*point.failure);
    out["error"] = point.reasons;
  } else {
    out["layouts"] = Json::object();
    for (const auto& layout : point.layouts) out["layouts"][layout.name] = layout_json(layout);
  }
  return seal(out);
}

std::string footer_line(std::uint64_t points, const std::string& digest) {
  return seal({{"complete", true}, {"lines", points}, {"digest", digest}});
}

bool is_sealed(std::string_view line) {
  if (line.size() <= kSealSize || !line.ends_with(kSealEnd)) return false;
  const std::string_view content = line.substr(0, line.size() - kSealSize);
  const std::string_view end = line.substr(content.size());
  return end.starts_with(kSeal) && end.substr(kSeal.size(), 16) == files::digest_of(content);
}

std::string without_seal(std::string_view line) {
  return std::string(line.substr(0, line.size() - kSealSize)) + "}";
}

bool is_point(std::string_view line, std::uint64_t index) {
  return line.starts_with(fmt::format("{{\"index\":{},", index));
}

bool is_footer(std::string_view line) { return line.starts_with("{\"complete\":true,"); }

std::string difference(std::string_view line, const StoreHeader& expected) {
  const Json found = Json::parse(line, nullptr, false);
  const Json wanted = Json::parse(header_line(expected));
  const auto differs = [&](const char* key) {
    return !found.is_object() || found.value(key, Json()) != wanted.value(key, Json());
  };
  if (differs("format")) return "it is not the store of a sweep";
  if (differs("vgsim")) return "it was made by another version of vgsim";
  if (differs("sweep") || differs("points") || differs("digest")) {
    return "it is of another sweep, scenario or file that these name";
  }
  if (differs("models")) return "it was made with another configuration folder";
  return "it is of another part of the sweep";
}

}  // namespace vgsim::sweep
