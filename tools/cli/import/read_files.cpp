#include "tools/cli/import/read_files.hpp"

#include <fmt/format.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "models/vsphere/import/vm_join.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"
#include "topology/machine/complete.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/merge.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;
using input::Diagnostics;
using topology::inventory::Inventory;
namespace codes = topology::import_codes;

struct Path {
  std::string path;
  bool in_folder = false;
};

/// Many times the dumps of a whole vCenter; more files mean a wrong folder such as "/".
constexpr std::size_t kMostEntries = 100'000;

/// Whether a folder is a virtual file system, whose files may be endless or block.
bool is_made_up([[maybe_unused]] const std::string& folder) {
#ifdef __linux__
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  constexpr std::array<long, 8> kKinds{PROC_SUPER_MAGIC,   SYSFS_MAGIC,        DEBUGFS_MAGIC,
                                       TRACEFS_MAGIC,      CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
                                       DEVPTS_SUPER_MAGIC, BPF_FS_MAGIC};
  return std::find(kKinds.begin(), kKinds.end(), static_cast<long>(status.f_type)) != kKinds.end();
#else
  return false;
#endif
}

/// The files of a folder, sorted by name.
std::set<std::string> files_in(const std::string& folder, Diagnostics& diagnostics) {
  std::set<std::string> found;
  std::size_t entries = 0;
  std::error_code failed;
  if (is_made_up(folder)) {
    diagnostics.error(codes::kNothingInIt.code, {}, "",
                      fmt::format("the folder {} is the kernel's own", folder),
                      "a folder with copies of what is read there");
    return {};
  }
  constexpr auto kSkip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(folder, kSkip, failed), end; it != end && !failed;
       it.increment(failed)) {
    if (++entries > kMostEntries) {
      diagnostics.error(
          codes::kTooMuch.code, {}, "",
          fmt::format("the folder {} holds more than {} files and folders", folder, kMostEntries),
          "the folder that the dumps lie in");
      return {};
    }
    std::error_code ignored;
    if (it->is_directory(ignored)) {
      if (is_made_up(it->path().string())) it.disable_recursion_pending();
    } else if (it->is_regular_file(ignored)) {
      found.insert(it->path().string());
    }
  }
  if (found.empty()) {
    diagnostics.error(codes::kNothingInIt.code, {}, "",
                      fmt::format("the folder {} holds no file that can be read", folder));
  }
  return found;
}

/// Replaces folders by their files.
std::vector<Path> expand(const std::vector<std::string>& paths, Diagnostics& diagnostics) {
  std::vector<Path> files;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
      files.push_back({path, false});
      continue;
    }
    for (const std::string& file : files_in(path, diagnostics)) files.push_back({file, true});
  }
  return files;
}

/// The description of a text that no importer reads, and the alternative.
std::pair<std::string, std::string> foreign_format(std::string_view text) {
  struct Foreign {
    std::string_view word;  ///< in its first lines
    const char* what;
    const char* instead;
  };
  static constexpr Foreign kForeign[] = {
      {"ibnetdiscover", "a dump of an InfiniBand fabric: only hosts are imported",
       "the hosts' dumps; the fabric is a key of the scenario"},
      {"sysimgguid=", "a dump of an InfiniBand fabric: only hosts are imported",
       "the hosts' dumps; the fabric is a key of the scenario"},
      {"VM_hostname", "a list of hosts and the GUIDs of their ports, without devices",
       "the hosts' dumps; the fabric is a key of the scenario"},
      {"VirtualPCIController", "govc's list of devices, which contains only their kinds",
       "govc device.info -json, vm.info -json or object.save"},
      {"\"vms\":", "a scenario, which names its hosts' files",
       "one of those files; vgsim export --vm NAME reads the scenario itself"},
      {"System ID  Address", "govc's list of PCI devices without any", "govc object.save"},
      {kOldExcel, "a workbook with a password, or of Excel before 2007 (.xls)",
       "an .xlsx file without a password, or CSV"},
  };
  for (const Foreign& foreign : kForeign) {
    if (text.substr(0, 2048).find(foreign.word) != text.npos)
      return {foreign.what, foreign.instead};
  }
  return {"a text of unknown format",
          "a dump that vgsim import --help lists, or --kind if it is one of them"};
}

/// Where a text shows that it is output of AMD's tools: rocm-smi, amd-smi topology, rocminfo, RCCL,
/// its tests.
std::optional<std::size_t> amd_in(std::string_view text) {
  for (const std::string_view word :
       {"ROCm System Management Interface", "End of ROCm SMI Log",
        "LINK TYPE TABLE:", "HSA System Attributes", "rccl-tests", "RCCL version"}) {
    const std::size_t at = text.find(word);
    if (at != text.npos) return at;
  }
  return std::nullopt;
}

const ImportFormat* format_named(const std::string& word, Diagnostics& diagnostics) {
  std::vector<std::string> words;
  for (const ImportFormat& format : import_formats()) {
    if (format.word == word) return &format;
    words.emplace_back(format.word);
  }
  diagnostics.error(codes::kUnknownFormat.code, {}, "", fmt::format("unknown --kind \"{}\"", word),
                    input::one_of(word, words), input::suggest(word, words));
  return nullptr;
}

void append_lines(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

class FileReader {
 public:
  explicit FileReader(Inventories& result) : result_(result) {}

  void read(const Path& path, const ImportFormat* format) {
    const auto source = input::load_source(path.path);
    if (!source) return diagnostics.append(source.error());
    read(path, *source, format);
  }

  void read(const Path& path, const input::SourcePtr& source, const ImportFormat* format) {
    if (const auto amd = amd_in(source->text)) return report_amd(path, source, *amd);
    if (format == nullptr) format = format_of(source->text);
    if (format == nullptr) return report_unknown(path, source);
    auto imported = format->read(source);
    if (!imported) {
      if (!path.in_folder) return diagnostics.append(imported.error());
      result_.skipped.push_back(fmt::format("{} ({}): {}", path.path, format->word,
                                            imported.error().items().front().message));
      return;
    }
    result_.files.push_back({path.path, format->word});
    append_lines(result_.found, imported->found);
    append_lines(result_.assumed, imported->assumed);
    append_lines(result_.skipped, imported->skipped);
    if (!imported->next.empty()) result_.next.push_back(imported->next);
    result_.warnings.append(imported->warnings);
    std::move(imported->vms.begin(), imported->vms.end(), std::back_inserter(result_.vms));
    std::move(imported->planned.begin(), imported->planned.end(),
              std::back_inserter(result_.planned));
    for (Inventory& host : imported->hosts) parts.emplace_back(path.path, std::move(host));
  }

  Diagnostics diagnostics;
  std::vector<std::pair<std::string, Inventory>> parts;  ///< of hosts, and their files

 private:
  void report_unknown(const Path& path, const input::SourcePtr& source) {
    const auto [what, instead] = foreign_format(source->text);
    report(path, codes::kUnknownFormat, {source, 0, 1}, what, instead);
  }

  void report_amd(const Path& path, const input::SourcePtr& source, std::size_t at) {
    report(path, codes::kAmdGpus, {source, at, 4},
           "output of AMD's tools: AMD GPUs are not supported, NVIDIA GPUs only", {});
  }

  /// A file that no importer reads; in a folder such files are skipped.
  void report(const Path& path, const codes::ErrorCode& code, const input::Location& where,
              const std::string& what, const std::string& instead) {
    if (path.in_folder) {
      result_.skipped.push_back(fmt::format("{}: {}", path.path, what));
      return;
    }
    diagnostics.error(code.code, where, "", what, instead);
  }

  Inventories& result_;
};

/// Merges the parts of each host. Parts without a host name belong to the only host.
void merge_hosts(std::vector<std::pair<std::string, Inventory>> parts, Inventories& result,
                 Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::vector<Inventory>>> hosts;
  std::map<std::string, std::size_t> index;
  std::vector<std::pair<std::string, Inventory>> nameless;
  for (auto& [path, part] : parts) {
    if (!part.name) {
      nameless.emplace_back(path, std::move(part));
      continue;
    }
    const std::string name = part.name->value;
    const auto [host, is_new] = index.try_emplace(name, hosts.size());
    if (is_new) hosts.push_back({name, {}});
    hosts[host->second].second.push_back(std::move(part));
  }
  if (hosts.size() > 1 && !nameless.empty()) {
    for (const auto& [path, part] : nameless) {
      diagnostics.error(
          codes::kDoNotFit.code, {}, "",
          fmt::format("{} does not name its host, and the other files are of {} hosts", path,
                      hosts.size()),
          "the files of one host at a time");
    }
    return;
  }
  std::map<std::string, int> per_file;
  for (const auto& [path, part] : nameless) ++per_file[path];
  const bool several = std::any_of(per_file.begin(), per_file.end(),
                                   [](const auto& entry) { return entry.second > 1; });
  for (auto& [path, part] : nameless) {
    if (hosts.empty() || several) hosts.emplace_back();
    hosts.back().second.push_back(std::move(part));
  }
  for (auto& [name, of_host] : hosts) {
    auto merged = topology::inventory::merge(std::move(of_host));
    if (!merged) {
      diagnostics.append(merged.error());
      continue;
    }
    topology::inventory::complete(*merged);
    result.warnings.append(merged->warnings);
    result.hosts.push_back(std::move(*merged));
  }
}

/// Merges what was read by host and VM. `result` is that of the reader.
tl::expected<Inventories, Diagnostics> joined(FileReader& reader, Inventories result) {
  if (!reader.diagnostics.has_errors()) {
    merge_hosts(std::move(reader.parts), result, reader.diagnostics);
    vsphere::import::JoinedVms joined = vsphere::import::join_vms(std::move(result.vms));
    result.vms = std::move(joined.vms);
    result.warnings.append(joined.warnings);
  }
  if (reader.diagnostics.has_errors()) return tl::unexpected(reader.diagnostics);
  return result;
}

}  // namespace

tl::expected<Inventories, Diagnostics> read_inventories(const std::vector<std::string>& paths,
                                                        const std::optional<std::string>& kind) {
  Inventories result;
  FileReader reader(result);
  const ImportFormat* format = kind ? format_named(*kind, reader.diagnostics) : nullptr;
  const std::vector<Path> files = expand(paths, reader.diagnostics);
  if (!kind || format != nullptr) {
    for (const Path& path : files) reader.read(path, format);
  }
  return joined(reader, std::move(result));
}

tl::expected<Inventories, Diagnostics> inventories_of(
    const std::vector<input::SourcePtr>& sources) {
  Inventories result;
  FileReader reader(result);
  for (const input::SourcePtr& source : sources)
    reader.read({source->path, false}, source, nullptr);
  return joined(reader, std::move(result));
}

}  // namespace vgsim::cli
