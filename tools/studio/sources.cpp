#include "tools/studio/sources.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::studio {

using input::Value;
using nlohmann::ordered_json;

namespace {

std::optional<Value> member(const std::optional<Value>& of, const char* name) {
  return of && of->is_object() ? input::find(*of, name) : std::nullopt;
}

}  // namespace

std::optional<Opening> opening_of(const scenario::Document& sent, const std::string& name) {
  if (!sent.value().is_object()) return std::nullopt;
  if (!scenario::is_result_schema(sent.text("schema"))) {
    return sent.has("hosts") ? std::optional(Opening{name, sent, {}}) : std::nullopt;
  }
  const auto manifest = member(sent.value(), "manifest");
  const auto scenario = member(manifest, "scenario");
  if (!scenario || !scenario->is_object()) return std::nullopt;
  Opening opening{name, scenario::Document(*scenario), {}};
  const auto files = member(manifest, "files");
  if (!files || !files->is_object()) return opening;
  for (const input::Member& file : files->members()) {
    if (file.value.is_string()) opening.files[file.name] = file.value.string();
  }
  return opening;
}

input::FileLoader loader_of(std::map<std::string, std::string> files) {
  return [files = std::move(files)](
             const std::string& name) -> tl::expected<input::SourcePtr, input::Diagnostics> {
    const auto found = files.find(name);
    if (found != files.end()) return input::make_source(name, found->second);
    input::Diagnostics missing;
    missing.error("E111", {}, "", fmt::format("{} is not a file that the studio has", name),
                  "one that the scenario named when it was opened");
    return tl::unexpected(missing);
  };
}

std::string file_text(const scenario::Document& document,
                      const std::map<std::string, std::string>& files) {
  constexpr auto kReplace = ordered_json::error_handler_t::replace;
  ordered_json json = scenario::to_ordered_json(document);
  if (!files.empty()) {
    scenario::Manifest manifest;
    manifest.document = document;
    manifest.files = files;
    json = {{"schema", "vgsim.result/2"}, {"manifest", scenario::to_json(manifest)}};
  }
  return json.dump(2, ' ', false, kReplace) + "\n";
}

}  // namespace vgsim::studio
