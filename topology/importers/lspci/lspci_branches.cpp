#include "topology/importers/lspci/lspci_branches.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostFunctions = 4096;
constexpr std::size_t kDeepestBranch = 32;

/// A bus, and where its functions go.
struct BranchBus {
  std::int64_t domain = 0;
  std::int64_t number = 0;
  std::optional<std::size_t> bridge;  ///< none: a root bus
  std::size_t root = 0;
  std::size_t depth = 0;
};

std::optional<std::int64_t> take_hex(std::string_view& text, std::size_t digits) {
  std::int64_t value = 0;
  const std::string_view number = text.substr(0, digits);
  const auto [end, failure] =
      std::from_chars(number.data(), number.data() + number.size(), value, 16);
  if (failure != std::errc() || end != number.data() + digits || value < 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view words) {
  if (!text.starts_with(words)) return false;
  text.remove_prefix(words.size());
  return true;
}

void skip_dashes(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of('-'), text.size()));
}

/// lspci -t draws the tree with columns: a '+' or '\\' in a later line is attached to the '+' of an
/// earlier line in the same column, everything else to its own line. A stack of forks by column is
/// kept; a line pops those to its right and continues at its own. Blanks are part of the format: a
/// tree with squeezed blanks is rejected, because its branches would be attached elsewhere.
class BranchReader {
 public:
  BranchReader(const input::SourcePtr& source, input::Diagnostics& errors)
      : source_(source), errors_(errors) {}

  FunctionTree read();

 private:
  /// A column in which branches of a bus begin: that of a '+'. Without a bus, branches of the host.
  struct Fork {
    std::size_t column;
    std::optional<BranchBus> bus;
  };

  [[nodiscard]] std::size_t column() const { return line_.size() - rest_.size(); }
  bool fail(const input::ErrorCode& code, std::string message, std::string expected);
  bool read_line();
  bool read_root();
  bool read_branch(std::optional<BranchBus> bus);
  bool read_function(BranchBus& bus);
  std::optional<std::int64_t> read_bridge(std::string_view& text);

  const input::SourcePtr& source_;
  input::Diagnostics& errors_;
  FunctionTree tree_;
  std::vector<Fork> forks_;
  std::size_t start_ = 0;  ///< of the line in the file
  std::string_view line_;
  std::string_view rest_;  ///< of the line, not read yet
};

bool BranchReader::fail(const input::ErrorCode& code, std::string message, std::string expected) {
  errors_.error(code.code, {source_, start_ + column(), 1}, "", std::move(message),
                std::move(expected));
  return false;
}

/// "[0000:44]" or "[44-5c]" of a root bus, and the devices on it.
bool BranchReader::read_root() {
  std::string_view text = rest_;
  BranchBus bus;
  const std::size_t inside = text.find_first_of(":]-");
  const bool has_domain = inside != text.npos && text[inside] == ':';
  bool good = take(text, "[");
  if (has_domain) {
    const auto domain = inside <= 9 ? take_hex(text, inside - 1) : std::nullopt;
    good = good && domain && take(text, ":");
    bus.domain = domain.value_or(0);
  }
  const auto number = good ? take_hex(text, 2) : std::nullopt;
  if (!number) return fail(import_codes::kBadValue, "no bus number here", "[domain:bus]");
  bus.number = *number;
  if (take(text, "-")) good = take_hex(text, 2).has_value();
  if (!good || !take(text, "]")) {
    return fail(import_codes::kBadValue, "the brackets of a root bus are not closed", "]");
  }
  bus.root = tree_.roots.size();
  tree_.roots.push_back({fmt::format("{:04x}:{:02x}", bus.domain, bus.number), {}});
  rest_ = text;
  return read_branch(bus);
}

/// Takes "-[46-4a]-" behind a bridge and returns the first bus behind it.
std::optional<std::int64_t> BranchReader::read_bridge(std::string_view& text) {
  std::string_view rest = text;
  if (!take(rest, "-[")) return std::nullopt;
  // Some versions print the domain here, too.
  const std::size_t close = rest.find(']');
  const std::size_t colon = rest.substr(0, close).rfind(':');
  if (colon != rest.npos) rest.remove_prefix(colon + 1);
  const auto secondary = take_hex(rest, 2);
  if (take(rest, "-") && !take_hex(rest, 2)) return std::nullopt;
  if (!secondary || !take(rest, "]")) return std::nullopt;
  text = rest;
  return secondary;
}

/// "01.0-[45-4a]----00.0-..." or "00.0  NVIDIA Corporation ...". Leaves in `bus` the one behind it.
bool BranchReader::read_function(BranchBus& bus) {
  std::string_view text = rest_;
  const auto device = take_hex(text, 2);
  const bool dot = take(text, ".");
  const auto function = take_hex(text, 1);
  if (!device || !dot || !function) {
    return fail(import_codes::kBadValue, "no device and function number here", "00.0");
  }
  if (tree_.functions.size() == kMostFunctions) {
    return fail(import_codes::kTooMuch, "more than 4096 PCI functions", "the dump of one host");
  }
  const std::size_t index = tree_.functions.size();
  TreeFunction found;
  found.bus_id =
      fmt::format("{:04x}:{:02x}:{:02x}.{:x}", bus.domain, bus.number, *device, *function);
  const auto secondary = read_bridge(text);
  found.is_bridge = secondary.has_value();
  if (!found.is_bridge) found.words = trimmed(std::exchange(text, {}));
  (bus.bridge ? tree_.functions[*bus.bridge].below : tree_.roots[bus.root].functions)
      .push_back(index);
  tree_.functions.push_back(std::move(found));
  rest_ = text;
  if (!secondary) return true;
  bus = {bus.domain, *secondary, index, bus.root, bus.depth + 1};
  return bus.depth <= kDeepestBranch ||
         fail(import_codes::kTooMuch, "more than 32 PCI bridges above each other",
              "the dump of one host");
}

/// The text after a bus on its line: its only function, the first of several, or nothing.
bool BranchReader::read_branch(std::optional<BranchBus> bus) {
  while (true) {
    skip_dashes(rest_);
    if (rest_.empty() || rest_.front() == ' ' || rest_.front() == '\r') return true;
    if (rest_.front() == '+') {
      forks_.push_back({column(), bus});
      skip_dashes(rest_ = rest_.substr(1));
    }
    if (!bus) return read_root();
    if (!read_function(*bus)) return false;
  }
}

/// The branch of a fork in a line above, at whose column the rest of the line begins.
bool BranchReader::read_line() {
  while (!forks_.empty() && forks_.back().column > column()) forks_.pop_back();
  if (forks_.empty() || forks_.back().column != column()) {
    return fail(import_codes::kBadValue, "the branch continues no line above",
                "the tree with all blanks as lspci prints it");
  }
  std::optional<BranchBus> bus = forks_.back().bus;
  if (rest_.front() == '\\') forks_.pop_back();
  skip_dashes(rest_ = rest_.substr(1));
  if (!bus) return read_root();
  return read_function(*bus) && read_branch(bus);
}

FunctionTree BranchReader::read() {
  const std::string_view text = source_->text;
  enum { kBefore, kInside, kBehind } place = kBefore;
  for (std::size_t next = 0; next < text.size(); next = start_ + line_.size() + 1) {
    start_ = next;
    line_ = text.substr(start_, std::min(text.find('\n', start_), text.size()) - start_);
    rest_ = line_.substr(std::min(line_.find_first_not_of(" |"), line_.size()));
    if (place == kBefore && begins_lspci_tree(line_)) {
      place = kInside;
      if (!read_branch(std::nullopt)) break;
    } else if (place != kBefore && (rest_.starts_with("+-") || rest_.starts_with("\\-"))) {
      if (place == kBehind) {
        (void)fail(import_codes::kBadValue,
                   "the tree continues after a line that does not belong to it",
                   "the tree as lspci prints it");
        break;
      }
      if (!read_line()) break;
    } else if (place == kInside) {
      place = kBehind;
    }
  }
  return std::move(tree_);
}

}  // namespace

bool begins_lspci_tree(std::string_view line) {
  if (!line.starts_with('-')) return false;
  skip_dashes(line);
  if (line.starts_with("+-")) line.remove_prefix(2);
  if (!line.starts_with('[')) return false;
  const std::size_t close = line.find(']');
  return close != line.npos && close > 2 &&
         line.substr(1, close - 1).find_first_not_of("0123456789abcdef:-") == line.npos &&
         line.substr(close + 1).starts_with('-');
}

FunctionTree read_function_tree(const input::SourcePtr& source, input::Diagnostics& errors) {
  return BranchReader(source, errors).read();
}

}  // namespace vgsim::topology
