#include "tools/cli/import/import_trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "models/traces/paired_traces.hpp"
#include "models/traces/trace_facts.hpp"
#include "models/traces/trace_file.hpp"
#include "models/traces/traced_network.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/import/import_notes.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/output.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

/// The beginning of a file. Empty for other than regular files: opening a pipe would block.
std::string head_of(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return {};
  constexpr std::size_t kHead = 64 << 10;
  std::ifstream file(path, std::ios::binary);
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

/// Compressed, binary, or JSON with the keys of trace tools.
bool looks_like_trace(const std::string& head) {
  if (head.starts_with("\x1f\x8b")) return true;
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start != head.npos && head[start] == '{') {
    constexpr std::string_view kKeys[] = {"\"traceEvents\"", "\"nodes\"", "\"workload_graph\""};
    return std::any_of(std::begin(kKeys), std::end(kKeys),
                       [&](std::string_view key) { return head.find(key) != head.npos; });
  }
  return std::any_of(
      head.begin(),
      head.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(head.size(), 256)),
      [](char c) { return (c >= '\0' && c < '\t') || (c > '\r' && c < ' ' && c != '\x1b'); });
}

bool is_trace(const std::string& path) { return begins_like_trace(head_of(path)); }

tl::unexpected<input::Diagnostics> no_pair(std::size_t files) {
  input::Diagnostics diagnostics;
  diagnostics.error("E605", {}, "", fmt::format("{} such traces make no network together", files),
                    "one trace, or an execution trace and the profile of the same run");
  return tl::unexpected(std::move(diagnostics));
}

/// One trace, or an execution trace combined with the profile of the same run.
tl::expected<traces::Trace, input::Diagnostics> read_traces(const std::vector<std::string>& files,
                                                            const std::vector<std::string>& names) {
  if (files.size() > 2) return no_pair(files.size());
  auto trace = traces::read_trace_file(files.front(), names.front());
  if (!trace || files.size() == 1) return trace;
  auto other = traces::read_trace_file(files.back(), names.back());
  if (!other) return other;
  if (trace->profile == other->profile) return no_pair(files.size());
  const std::string& profile = trace->profile ? names.front() : names.back();
  if (!trace->profile) std::swap(*trace, *other);
  auto paired = traces::with_shapes(std::move(*trace), *other, profile);
  if (!paired) return tl::unexpected(paired.error());
  return std::move(paired->trace);
}

/// The catalogue's GPU that the user names, else the one of the trace.
tl::expected<traces::TracedGpu, input::Diagnostics> gpu_of(const topology::Catalog& catalog,
                                                           const ImportOptions& import,
                                                           const std::string& traced) {
  const topology::GpuModel* model = topology::gpu_by_dumped_name(catalog, traced);
  if (import.gpu) {
    const auto part = topology::matching_part(catalog, "gpus", *import.gpu);
    if (!part) {
      input::Diagnostics diagnostics;
      const auto names = topology::names_of(catalog.gpus);
      diagnostics.error("E411", {}, "", fmt::format("unknown gpu \"{}\"", *import.gpu),
                        "a name that vgsim catalog gpus lists", input::suggest(*import.gpu, names));
      return tl::unexpected(diagnostics);
    }
    model = &catalog.gpus.at(*part);
  }
  traces::TracedGpu gpu;
  if (model == nullptr) return gpu;
  gpu.name = model->id;
  for (const auto& [precision, peak] : model->peak) {
    gpu.peaks[precision] = static_cast<double>(peak.value.count());
  }
  return gpu;
}

}  // namespace

bool is_trace_import(const ImportOptions& options) {
  if (options.kind) return *options.kind == "trace";
  return !options.files.empty() &&
         std::all_of(options.files.begin(), options.files.end(), is_trace);
}

bool begins_like_trace(const std::string& head) {
  return looks_like_trace(head) && !head.starts_with(kOldExcel) && format_of(head) == nullptr;
}

std::string traced_name(const std::string& file) {
  std::filesystem::path path = std::filesystem::path(file).filename();
  for (const char* ending : {".gz", ".json", ".et", ".trace", ".pt"}) {
    if (path.extension() == ending) path = path.stem();
  }
  std::string name = path.string();
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!plain) c = '-';
  }
  return name.empty() ? "traced" : name;
}

tl::expected<traces::TracedNetwork, input::Diagnostics> traced_network(
    const ImportOptions& options, const std::vector<std::string>& names,
    const scenario::Library& library, ImportNotes& notes) {
  const auto trace = read_traces(options.files, names);
  if (!trace) return tl::unexpected(trace.error());
  const std::string name = options.name.empty() ? traced_name(names.front()) : options.name;
  const std::string file = fmt::format("{}", fmt::join(names, " and "));
  const auto gpu = gpu_of(*library.catalog, options, trace->gpu);
  if (!gpu) return tl::unexpected(gpu.error());
  const double kernel_gap = to_seconds(library.parameters.time("kernel_gap"));
  auto network = traces::network_of(*trace, {name, file, options.batch, *gpu, kernel_gap});
  if (!network) {
    notes.add("found", traces::measured_facts(*trace));
    return network;
  }
  notes.add("found", network->found);
  notes.add("assumed", network->assumed);
  notes.add("skipped", network->skipped);
  return network;
}

int import_trace(const ImportOptions& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  ImportNotes notes;
  const auto network = traced_network(options, options.files, *library, notes);
  if (!network) {
    write_message(notes.text() + input::render(network.error()));
    return kBadInput;
  }
  write_result(network->network, options.out);
  notes.add("job", network->job);
  write_message(notes.text());
  return kDone;
}

}  // namespace vgsim::cli
