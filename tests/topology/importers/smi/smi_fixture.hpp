#pragma once

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tests/support/extra.hpp"
#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::testing {

using SmiResult = tl::expected<inventory::Inventory, input::Diagnostics>;
using SmiReader = SmiResult (*)(const input::SourcePtr& source);
using SmiPartReader = void (*)(FileNotes& notes, inventory::Inventory& host);

inline SmiResult read_with(SmiReader reader, std::string text) {
  return reader(input::make_source("smi.txt", std::move(text)));
}

/// One part of a recording alone.
inline SmiResult read_with(SmiPartReader reader, const input::SourcePtr& source) {
  FileNotes notes(source);
  inventory::Inventory host;
  reader(notes, host);
  settle_smi_gpus(host, notes);
  return notes.finish(std::move(host));
}

inline SmiResult read_with(SmiPartReader reader, std::string text) {
  return read_with(reader, input::make_source("smi.txt", std::move(text)));
}

/// "3:5 E534" for each message, in order.
inline std::vector<std::string> codes_of(const input::Diagnostics& diagnostics) {
  std::vector<std::string> codes;
  for (const auto& item : diagnostics.items()) {
    const auto [line, column] = input::line_column(item.location);
    codes.push_back(fmt::format("{}:{} {}", line, column, item.code));
  }
  return codes;
}

/// The messages, each with what was expected.
inline std::vector<std::string> messages_of(const input::Diagnostics& diagnostics) {
  std::vector<std::string> messages;
  for (const auto& item : diagnostics.items()) {
    messages.push_back(item.expected.empty() ? item.message
                                             : item.message + " / expected " + item.expected);
  }
  return messages;
}

/// Messages of what is refused, warnings of what is not.
inline std::vector<std::string> messages_of(const SmiResult& result) {
  return messages_of(result ? result->warnings : result.error());
}

inline std::size_t count_of(const inventory::Inventory& host, inventory::DeviceKind kind) {
  return static_cast<std::size_t>(
      std::count_if(host.unplaced.begin(), host.unplaced.end(),
                    [&](const auto& device) { return device.kind == kind; }));
}

/// The value, or an empty one if unknown.
template <class T>
T value_of(const inventory::Maybe<T>& stated) {
  return stated ? stated->value : T{};
}

/// "gen5 x16", "-" if unknown.
inline std::string link_of(const inventory::Maybe<PcieWidth>& link) {
  if (!link) return "-";
  return fmt::format("gen{} x{}", link->value.generation, link->value.lanes);
}

/// "0000:c3:00.0 x4" for each peer of a GPU's NVLinks.
inline std::vector<std::string> peers_of(const inventory::Gpu& gpu) {
  std::vector<std::string> peers;
  for (const auto& links : gpu.nvlinks) {
    peers.push_back(fmt::format("{} x{}", links.target.value, links.count.value));
  }
  return peers;
}

/// "grid_a100d-80c for train01" for each vGPU.
inline std::vector<std::string> vgpus_of(const inventory::Gpu& gpu) {
  std::vector<std::string> vgpus;
  for (const auto& vgpu : gpu.vgpus) {
    vgpus.push_back(vgpu.vm.empty() ? vgpu.profile
                                    : fmt::format("{} for {}", vgpu.profile, vgpu.vm));
  }
  return vgpus;
}

/// The file's text; the path is relative to the folder of topology samples.
inline input::SourcePtr smi_sample(const std::string& path) {
  const auto full = test::extra_files() / "topologies" / path;
  std::ifstream file(full, std::ios::binary);
  return input::make_source(full.string(), {std::istreambuf_iterator<char>(file), {}});
}

/// Names of the files of a folder of samples, sorted.
inline std::vector<std::string> smi_samples_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code absent;
  const auto path = test::extra_files() / "topologies" / folder;
  for (const auto& entry : std::filesystem::directory_iterator(path, absent)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace vgsim::topology::testing
