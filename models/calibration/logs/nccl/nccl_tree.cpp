#include "models/calibration/logs/nccl/nccl_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs {
namespace {

/// The rate that NCCL assigns to one NVLink, and the most links of a GPU with that rate. Releases
/// before 2.12 assign 21 or 22 GB/s to links of V100 and A100, 2.19 assigns 20 GB/s to those of
/// H100. Source: NVIDIA/nccl src/graph/topo.h.
struct KnownRate {
  NcclNvLinkRate rate;
  std::int64_t most = 0;
};
constexpr std::array<KnownRate, 8> kRates = {{
    {{40.1, 0}, 18},   // B200, B300
    {{20.6, 90}, 18},  // H100
    {{22.0, 0}, 12},   // V100, A100
    {{21.0, 0}, 6},    // V100
    {{20.0, 0}, 18},   // V100, A100, H100
    {{18.0, 60}, 4},   // P100
    {{17.0, 60}, 4},   // P100
    {{12.0, 86}, 4},   // A40, RTX 3090
}};

constexpr std::size_t kDeepest = 32;

bool divides(double total, const KnownRate& known) {
  constexpr double kRounding = 0.0501;  // NCCL prints one decimal
  const auto links = nccl_nvlinks_in(total, known.rate);
  return links >= 1 && links <= known.most &&
         std::abs(total - static_cast<double>(links) * known.rate.gigabytes) <= kRounding;
}

std::optional<std::uint64_t> hex_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

bool is_capital_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// "GPU/4E000 (3)", from NCCL 2.21 on "GPU/0-4e000 (3)".
std::optional<NcclNode> node_in(std::string_view text) {
  NcclNode node;
  std::string_view id = cut_at(text, " ");
  node.type = cut_at(id, "/");
  if (node.type.empty() || !std::ranges::all_of(node.type, is_capital_or_digit)) return {};
  if (contains(id, "-")) {
    const auto host = hex_in(cut_at(id, "-"));
    if (!host) return std::nullopt;
    node.host = *host;
  }
  const auto number = hex_in(id);
  if (!number) return std::nullopt;
  node.id = *number;
  if (!text.starts_with('(')) return text.empty() ? std::optional(node) : std::nullopt;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return std::nullopt;
  node.inside = text.substr(1, close - 1);
  return node;
}

/// Whether a line belongs to the last open branch: it begins below its device, and networks are
/// below NICs, links to switches not below CPUs.
bool is_below(const NcclTreeLine& line, const NcclTree& tree, std::size_t indent) {
  if (line.link.empty()) return true;
  if (tree.open.empty()) return false;
  const NcclTreeLine& above = tree.branches[tree.open.back()].line;
  if (line.link == "NET" && above.node.type != "NIC") return false;
  if (line.node.type == "NVS" && above.node.type == "CPU") return false;
  return above.column == indent;
}

}  // namespace

bool begins_nccl_tree(std::string_view text) { return text.starts_with("=== System : max"); }

bool is_of_nccl_tree(std::string_view text) {
  return text.starts_with("CPU/") || text.starts_with("+ ");
}

std::optional<NcclTreeLine> nccl_tree_line_in(std::string_view text, std::size_t indent) {
  NcclTreeLine line;
  std::string_view rest = text;
  if (text.starts_with("+ ")) {
    rest.remove_prefix(2);
    line.link = cut_at(rest, "[");
    const auto gigabytes = parse<double>(trimmed(cut_at(rest, "] - ")));
    if (line.link.empty() || !gigabytes || !(*gigabytes >= 0 && *gigabytes < 1e6)) return {};
    line.gigabytes = *gigabytes;
  }
  const auto node = node_in(rest);
  if (!node) return std::nullopt;
  line.node = *node;
  line.column = indent + static_cast<std::size_t>(rest.data() - text.data());
  return line;
}

/// A device is below the last line that begins where the links to the devices below it do.
void NcclTree::add(topology::TextSpan text, std::size_t indent) {
  if (fault || branches.size() > kMostNcclNodes) return;
  const auto line = nccl_tree_line_in(text.text, indent);
  if (!line) {
    fault.emplace(text, "a truncated or mixed line of NCCL's system tree");
    return;
  }
  const auto column_of = [&](std::size_t branch) { return branches[branch].line.column; };
  while (!open.empty() && (line->link.empty() || column_of(open.back()) > indent)) {
    open.pop_back();
  }
  if (!is_below(*line, *this, indent)) {
    fault.emplace(text,
                  "the line begins below no such device of NCCL's system tree: its blanks or "
                  "the lines above are missing");
    return;
  }
  if (open.size() == kDeepest) {
    fault.emplace(text, "NCCL's system tree is deeper than any real one");
    return;
  }
  if (!open.empty()) branches[open.back()].below.push_back(branches.size());
  open.push_back(branches.size());
  branches.push_back({*line, text, {}});
}

std::optional<NcclNvLinkRate> nccl_nvlink_rate(const std::vector<double>& totals) {
  for (const KnownRate& known : kRates) {
    if (std::ranges::all_of(totals, [&](double total) { return divides(total, known); })) {
      return known.rate;
    }
  }
  return std::nullopt;
}

std::int64_t nccl_nvlinks_in(double total, const NcclNvLinkRate& rate) {
  return std::llround(total / rate.gigabytes);
}

}  // namespace vgsim::calibration::logs
