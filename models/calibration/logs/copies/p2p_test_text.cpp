#include "models/calibration/logs/copies/p2p_test_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "models/calibration/logs/log_lines.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::calibration::logs::p2p_test {
namespace {

constexpr std::int64_t kMaxElements = 1LL << 38;

/// The hexadecimal number after a word: 0xc1 of "pciBusID: c1, pciDeviceID: 0".
std::optional<unsigned> hex_after(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trimmed(line.substr(at + word.size()));
  unsigned number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, 16);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// "Device: 0, NVIDIA A100-SXM4-80GB, pciBusID: 7, pciDeviceID: 0, pciDomainID:0"
std::optional<Device> device_in(std::string_view line) {
  constexpr std::string_view kBegin = "Device: ";
  if (!line.starts_with(kBegin)) return std::nullopt;
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto index = parse<std::size_t>(line.substr(kBegin.size(), comma - kBegin.size()));
  if (!index || *index >= kMaxGpus) return std::nullopt;
  const std::size_t end = std::min(line.find(", pciBusID"), line.size());
  Device device{*index, {}};
  if (end > comma) {
    device.gpu.name = input::printable(trimmed(line.substr(comma + 1, end - comma - 1)));
  }
  const auto bus = hex_after(line, "pciBusID:");
  const auto slot = hex_after(line, "pciDeviceID:");
  if (bus && slot) {
    device.gpu.pci_address = fmt::format("{:04x}:{:02x}:{:02x}.0",
                                         hex_after(line, "pciDomainID:").value_or(0), *bus, *slot);
  }
  return device;
}

/// A matrix consists of a heading, a line with column numbers, and rows up to the last GPU's. The
/// word in the corner names the clock of a latency: only the GPU's is the time of a copy.
class TextReader {
 public:
  explicit TextReader(Output& output) : output_(output) {}

  void read(std::string_view text) {
    for (const Line& line : lines_in(text)) read_line(line);
    note_list(list_.end());
    output_.gpus = list_.gpus();
  }

 private:
  void read_line(const Line& line) {
    if (line.text.empty()) return;
    const Words words = split(line.text);
    read_command(words);
    if (auto device = device_in(line.text)) {
      note_list(list_.add(std::move(*device), line.offset));
    } else if (contains(line.text, "P2P") && contains(line.text, " Matrix")) {
      begin_matrix(line.text);
    } else if (const std::size_t columns = columns_in(words)) {
      begin_columns(words[0], columns);
    } else if (is_open_) {
      read_row(words, line);
    }
  }

  void read_command(const Words& words) {
    for (const std::string_view word : command_in(words, kTool)) {
      const std::string_view option =
          word.substr(std::min(word.find_first_not_of('-'), word.size()));
      if (option == "sm_copy") output_.by_kernel = true;
      if (!option.starts_with("numElems=")) continue;
      const auto elements = parse<std::int64_t>(option.substr(9));
      if (elements && *elements > 0 && *elements <= kMaxElements) output_.elements = elements;
    }
  }

  /// `other`: the beginning of a list of devices that differs from the first.
  void note_list(std::optional<std::size_t> other) {
    if (other) output_.other_devices = other;
  }

  /// "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)"
  void begin_matrix(std::string_view line) {
    heading_ = {};
    heading_.text = input::printable(line);
    heading_.both_ways = line.starts_with("Bidirectional");
    heading_.peer_access = contains(line, "P2P=Enabled");
    heading_.reads = contains(line, "(P2P Reads)");
    if (contains(line, "Connectivity")) heading_.kind = Heading::Kind::kConnectivity;
    if (contains(line, "Bandwidth")) heading_.kind = Heading::Kind::kBandwidth;
    if (contains(line, "Latency")) heading_.kind = Heading::Kind::kLatency;
    output_.tells_writes = output_.tells_writes || heading_.reads || contains(line, "(P2P Writes)");
    is_open_ = false;
  }

  /// The number of columns in the line "D\D 0 1"; 0 for any other line.
  static std::size_t columns_in(const Words& words) {
    const bool is_corner = words[0] == "D\\D" || words[0] == "GPU" || words[0] == "CPU";
    return is_corner ? numbered_columns(std::span(words).subspan(1)) : 0;
  }

  /// `corner`: the word above the labels. For latencies it names the clock, "GPU" or "CPU";
  /// releases before CUDA 10 print "D\D".
  void begin_columns(std::string_view corner, std::size_t columns) {
    Matrix matrix{heading_, columns, {}};
    if (matrix.heading.kind == Heading::Kind::kLatency) {
      if (corner == "CPU") matrix.heading.kind = Heading::Kind::kQueueing;
      matrix.heading.is_old = corner == "D\\D";
    }
    output_.matrices.push_back(std::move(matrix));
    is_open_ = true;
  }

  void read_row(const Words& words, const Line& line) {
    Matrix& matrix = output_.matrices.back();
    const auto label = parse<std::size_t>(words[0]);
    const bool is_row = label && words.size() > 1 && parse<double>(words[1]).has_value();
    if (!is_row) return;
    if (!matrix.rows.empty() && *label <= matrix.rows.back().label) return;
    matrix.rows.push_back({*label, {words.begin() + 1, words.end()}, line.number, line.unfinished});
    is_open_ = *label + 1 < matrix.columns;
  }

  Output& output_;
  DeviceList list_;
  Heading heading_;       ///< the last one
  bool is_open_ = false;  ///< rows of the last matrix can follow
};

/// The pairs with 0 in a connectivity matrix.
void find_parted(Output& output) {
  for (const Matrix& matrix : output.matrices) {
    if (matrix.heading.kind != Heading::Kind::kConnectivity) continue;
    for (const Row& row : matrix.rows) {
      for (std::size_t column = 0; column < row.cells.size(); ++column) {
        if (row.cells[column] == "0") output.parted.insert(std::minmax(row.label, column));
      }
    }
  }
}

}  // namespace

Output read_text(std::string_view text) {
  Output output;
  TextReader(output).read(text);
  find_parted(output);
  return output;
}

}  // namespace vgsim::calibration::logs::p2p_test
