#include "tools/catalog/library_files.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "tools/files/digest.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::catalog {

namespace fs = std::filesystem;

std::string shown(const fs::path& path) {
  std::error_code error;
  const fs::path relative = fs::proximate(path, error);
  return error || relative.native().size() >= path.native().size() ? path.string()
                                                                   : relative.string();
}

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string checked_mark(const std::string& place, const std::string& text) {
  files::Digest digest;
  digest.add_part(place);
  digest.add_part(text);
  return digest.text();
}

tl::expected<scenario::LibraryFiles, input::Diagnostics> load_library_files(
    const std::string& dir, const IsChecked& is_checked) {
  input::Diagnostics diagnostics;
  const fs::path root = fs::path(shown(dir)).lexically_normal();
  const auto load = [&](const fs::path& path) -> input::SourcePtr {
    auto source = input::load_source(path.string());
    if (!source) diagnostics.append(source.error());
    return source ? *source : nullptr;
  };
  const auto load_checked = [&](const char* folder, const fs::path& name) {
    input::SourcePtr source = load(root / folder / name);
    if (source == nullptr || !is_checked((folder / name).string(), source->text)) return source;
    return std::make_shared<const input::SourceFile>(
        input::SourceFile{source->path, source->text, true});
  };
  const std::vector<fs::path> catalog = json_files(root / "catalog");
  if (catalog.empty()) {
    diagnostics.error(
        "E111", {}, "", "no catalogue in \"" + dir + "\"",
        "there the configs folder of vgsim, which belongs into ../share/vgsim next to "
        "the folder of the program; or VGSIM_CONFIGS set to where it is");
    return tl::unexpected(diagnostics);
  }
  scenario::LibraryFiles files;
  for (const fs::path& path : catalog) {
    files.catalog.push_back(load_checked("catalog", path.filename()));
  }
  for (const fs::path& path : json_files(root / "parameters")) {
    files.parameters.push_back(load_checked("parameters", path.filename()));
  }
  for (const fs::path& path : json_files(root / "networks")) {
    files.networks[path.stem().string()] = load(path);
  }
  for (const fs::path& path : json_files(root / "calibrations")) {
    files.calibrations[path.stem().string()] = load(path);
  }
  files.nccl = load_checked("nccl", "releases.json");
  files.vsphere = {load_checked("vsphere", "versions.json"),
                   load_checked("vsphere", "profiles.json"),
                   load_checked("vsphere", "partitions.json"),
                   load_checked("vsphere", "rules.json"), load_checked("vsphere", "settings.json")};
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return files;
}

}  // namespace vgsim::catalog
