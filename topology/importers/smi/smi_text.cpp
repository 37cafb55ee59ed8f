#include "topology/importers/smi/smi_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_merge.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

struct TextPart {
  bool (*is_in)(std::string_view text);
  void (*read)(FileNotes& notes, Inventory& host);
};

/// First those with both bus id and number, which identify the others; vgpu -q before the table,
/// which truncates names of vGPUs.
constexpr std::array<TextPart, 7> kParts = {{
    {is_smi_query_xml, read_smi_query_xml},
    {is_smi_query_text, read_smi_query_text},
    {is_smi_query_csv, read_smi_query_csv},
    {is_smi_vgpu, read_smi_vgpu},
    {is_smi_table, read_smi_table},
    {is_smi_list, read_smi_nvlink},
    {has_path_matrix, read_smi_topo},
}};

}  // namespace

bool is_smi_text(std::string_view text) {
  const auto is_in = [&](const TextPart& part) { return part.is_in(text); };
  return std::ranges::any_of(kParts, is_in) || is_smi_topo(text);
}

/// Every part with recognised content reads the whole text and skips the rest, which is simpler
/// than splitting a recording into commands. The facts are merged by GPU, best sources first;
/// values that GPUs of one host cannot share are removed at the end.
tl::expected<Inventory, input::Diagnostics> read_smi_text(const input::SourcePtr& source) {
  FileNotes notes(source);
  Inventory host;
  bool found = false;
  for (const auto& [is_in, read] : kParts) {
    if (!is_in(source->text)) continue;
    found = true;
    Inventory part;
    read(notes, part);
    add_smi_part(std::move(part), notes, host);
  }
  const bool has_p2p = is_smi_topo(source->text) && !has_path_matrix(source->text);
  if (has_p2p && found) {
    notes.skip(kP2pIsNotRead);
  } else if (has_p2p) {
    read_smi_topo(notes, host);
  } else if (!found) {
    notes.error(import_codes::kNothingInIt, notes.at(0), "no output of nvidia-smi about GPUs",
                "the output of nvidia-smi -q -x or nvidia-smi topo -m");
  }
  settle_smi_gpus(host, notes);
  return notes.finish(std::move(host));
}

}  // namespace vgsim::topology
