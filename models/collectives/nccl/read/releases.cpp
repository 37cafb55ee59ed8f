#include "models/collectives/nccl/read/releases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "models/collectives/nccl/read/read_constants.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::collectives::nccl {
namespace {

using namespace input;

/// Reads a member of "releases" and merges it into `values`, the constants of the previous release.
/// The result must match the shape, if there is one.
void read_release(const Member& member, const Value& sources, const std::optional<Shape>& shape,
                  Value& values, Releases& releases, Diagnostics& diagnostics) {
  const auto& [name, key, entry] = member;
  const Version version = *parse_version(name);
  const Value source = *find(entry, "source");
  if (sources.member(as_string(source)) == nullptr) {
    diagnostics.error("E401", source.location(), source.pointer(),
                      fmt::format("unknown source \"{}\"", as_string(source)),
                      "a key of \"sources\" in the same file");
  }
  if (!releases.empty() && version <= releases.back().constants.release) {
    diagnostics.error(
        "E423", key, entry.pointer(),
        fmt::format("release {} follows {}", name, to_string(releases.back().constants.release)),
        "releases from the oldest to the newest");
  }
  const Value patch = *find(entry, "values");
  values = releases.empty() ? patch : merge_patch(values, patch);
  Diagnostics found;
  if (shape) check(values, *shape, found);
  diagnostics.append(found);
  if (found.has_errors()) return;
  Release release{read_constants(values), version};
  release.constants.version = release.constants.release = version;
  if (const auto since = find(entry, "since")) release.since = *parse_version(as_string(*since));
  releases.push_back(std::move(release));
}

std::string minor_name(const Version& version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

bool same_minor(const Version& a, const Version& b) {
  return a.major == b.major && a.minor == b.minor;
}

}  // namespace

tl::expected<Releases, Diagnostics> read_releases(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  std::optional<Shape> shape;
  if (!file->checked) {
    check(*document, releases_shape(), diagnostics);
    shape = release_values_shape();
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Releases releases;
  Value values;
  for (const Member& member : find(*document, "releases")->members()) {
    read_release(member, *find(*document, "sources"), shape, values, releases, diagnostics);
    if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  }
  return releases;
}

tl::expected<Constants, std::string> constants_of(const Releases& releases,
                                                  std::string_view version) {
  if (version == "newest") return releases.back().constants;
  const std::string range = fmt::format("a version of NCCL from {} to {}, such as \"{}\"",
                                        minor_name(releases.front().constants.release),
                                        minor_name(releases.back().constants.release),
                                        to_string(releases.back().constants.release));
  const auto asked = parse_version(version);
  if (!asked) return tl::unexpected(range);
  const Version& first = releases.front().constants.release;
  const Version& last = releases.back().constants.release;
  if ((*asked < first && !same_minor(*asked, first)) ||
      (*asked > last && !same_minor(*asked, last))) {
    return tl::unexpected(range);
  }
  const auto after = std::find_if(releases.begin() + 1, releases.end(),
                                  [&](const Release& r) { return r.since > *asked; });
  Constants constants = std::prev(after)->constants;
  const bool any_patch = asked->patch == kLastPatch && same_minor(*asked, constants.release);
  constants.version = any_patch ? constants.release : *asked;
  return constants;
}

}  // namespace vgsim::collectives::nccl
