#include "tools/sweep/question.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "models/questions/sweep/point.hpp"
#include "models/scenario/read/overrides.hpp"
#include "tools/files/digest.hpp"
#include "tools/sweep/store_error.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::sweep {
namespace {

namespace fs = std::filesystem;

using input::Diagnostics;
using input::Value;

constexpr std::size_t kLongestName = 4096;

/// Files named by a scenario. Each is read once, so that all points have the same content. They
/// are named as in the scenario, so that results do not contain local paths.
class Files {
 public:
  explicit Files(fs::path folder) : folder_(std::move(folder)) {}

  tl::expected<input::SourcePtr, Diagnostics> load(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = files_.find(name);
    if (known != files_.end()) return known->second;
    return files_.emplace(name, read(name)).first->second;
  }

  [[nodiscard]] bool has(const std::string& name) const {
    std::error_code error;
    return !name.empty() && name.size() < kLongestName &&
           fs::is_regular_file(folder_ / name, error);
  }

 private:
  [[nodiscard]] tl::expected<input::SourcePtr, Diagnostics> read(const std::string& name) const {
    auto source = input::load_source((folder_ / name).string());
    if (source) return input::make_source(name, (*source)->text);
    Diagnostics diagnostics;
    diagnostics.error("E111", {}, "", fmt::format("cannot read \"{}\"", name));
    return tl::unexpected(diagnostics);
  }

  fs::path folder_;
  std::mutex mutex_;
  std::map<std::string, tl::expected<input::SourcePtr, Diagnostics>> files_;
};

/// Collects every string of a document that names a file.
void find_files(const Value& value, const Files& files, std::set<std::string>& names) {
  if (value.is_string() && files.has(value.string())) names.insert(value.string());
  if (value.is_array()) {
    for (const Value& each : value.elements()) find_files(each, files, names);
  }
  if (!value.is_object()) return;
  for (const input::Member& member : value.members()) {
    if (member.name != "$schema") find_files(member.value, files, names);
  }
}

/// Independent of the order of keys, except of swept ones, which number the points.
std::string digest_of_inputs(const Value& document, const scenario::Sweep& sweep, const Value& base,
                             Files& files) {
  files::Digest digest;
  digest.add_part(input::to_canonical_string(document));
  for (const std::string& pointer : sweep.pointers()) digest.add_part(pointer);
  digest.add_part(input::to_canonical_string(base));
  std::set<std::string> names;
  find_files(document, files, names);
  find_files(base, files, names);
  for (const std::string& name : names) {
    digest.add_part(name);
    if (const auto source = files.load(name)) digest.add_part((*source)->text);
  }
  return digest.text();
}

tl::expected<Value, Diagnostics> read_document(const std::string& file) {
  const auto source = input::load_input(file);
  if (!source) return tl::unexpected(source.error());
  return input::read_json(*source);
}

tl::expected<std::vector<scenario::Override>, Diagnostics> read_settings(
    const std::vector<std::string>& settings) {
  std::vector<scenario::Override> overrides;
  Diagnostics diagnostics;
  for (const std::string& setting : settings) {
    auto read = scenario::read_override(setting);
    if (read) {
      overrides.push_back(std::move(*read));
    } else {
      diagnostics.append(read.error());
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return overrides;
}

/// The base scenario of a sweep with `settings` applied, and the folder of the files that it
/// names.
tl::expected<scenario::Document, Diagnostics> read_base(
    const scenario::Sweep& sweep, fs::path& folder,
    const std::vector<scenario::Override>& overrides) {
  Value document = sweep.scenario;
  if (document.is_string()) {
    const fs::path file = folder / input::as_string(document);
    auto read = read_document(file.string());
    if (!read) return tl::unexpected(read.error());
    document = std::move(*read);
    folder = file.parent_path();
  }
  Diagnostics diagnostics;
  const scenario::Document base = scenario::with_overrides(document, overrides, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return scenario::base_of(sweep, base);
}

}  // namespace

tl::expected<Question, Diagnostics> read_question(const std::string& file,
                                                  const std::vector<std::string>& settings) {
  const auto overrides = read_settings(settings);
  if (!overrides) return tl::unexpected(overrides.error());
  const auto document = read_document(file);
  if (!document) return tl::unexpected(document.error());
  auto sweep = scenario::read_sweep(*document);
  if (!sweep) return tl::unexpected(sweep.error());
  fs::path folder = fs::path(file).parent_path();
  auto base = read_base(*sweep, folder, *overrides);
  if (!base) return tl::unexpected(base.error());
  const auto files = std::make_shared<Files>(folder);
  const std::string digest = digest_of_inputs(*document, *sweep, base->value(), *files);
  return Question{std::move(*sweep), std::move(*base),
                  [files](const std::string& name) { return files->load(name); }, digest};
}

std::string digest_of_configs(const std::string& folder) {
  files::Digest digest;
  for (const char* part :
       {"calibrations", "catalog", "nccl", "networks", "parameters", "vsphere"}) {
    std::set<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(folder) / part, error)) {
      if (entry.path().extension() == ".json") names.insert(entry.path().filename().string());
    }
    for (const std::string& name : names) {
      const auto source = input::load_source((fs::path(folder) / part / name).string());
      if (!source) throw StoreError(input::render(source.error()));
      digest.add_part(part);
      digest.add_part(name);
      digest.add_part((*source)->text);
    }
  }
  return digest.text();
}

}  // namespace vgsim::sweep
