#include <fmt/core.h>

#include <utility>

#include "models/calibration/logs/copies/nvbandwidth_output.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::calibration::logs::nvbandwidth {
namespace {

/// The text after the prefix.
std::optional<std::string_view> after(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return trimmed(line.substr(prefix.size()));
}

/// The argument of -b in a command line that starts nvbandwidth, in MiB.
std::optional<std::int64_t> buffer_in(const Words& words) {
  const auto command = command_in(words, "nvbandwidth");
  for (std::size_t w = 0; w < command.size(); ++w) {
    std::optional<std::int64_t> size;
    if (command[w].starts_with("--bufferSize=")) size = buffer_size(command[w].substr(13));
    const bool is_option = command[w] == "-b" || command[w] == "--bufferSize";
    if (is_option && w + 1 < command.size()) size = buffer_size(command[w + 1]);
    if (size) return size;
  }
  return std::nullopt;
}

/// A test prints its name, then its table or the reason for waiving it, then a SUM. Rows are read
/// only between the line of column numbers and the SUM, since other output can appear between
/// tests.
class TextReader {
 public:
  explicit TextReader(Output& output) : output_(output) {}

  void read(std::string_view text) {
    for (const Line& line : lines_in(text)) read_line(line);
    end_test();
  }

 private:
  void read_line(const Line& line) {
    if (line.text.empty() || read_machine(line)) return;
    const Words words = split(line.text);
    if (const auto size = buffer_in(words)) output_.mebibytes = size;
    if (const auto name = test_in(words)) {
      end_test();
      test_ = *name;
    } else if (const auto message = after(line.text, "Waived:")) {
      waive(*message, line.number);
    } else if (contains(line.text, "(column)")) {
      output_.tables.push_back({test_, input::printable(line.text), 0, {}});
      is_open_ = has_table_ = true;
    } else if (words[0] == "SUM") {
      is_open_ = false;
    } else if (is_open_) {
      read_table(words, line);
    }
  }

  /// Reads a line about the machine or the tool; false for other lines.
  bool read_machine(const Line& line) {
    const std::string_view text = line.text;
    if (const auto version = after(text, "nvbandwidth Version:")) {
      const Words words = split(*version);
      if (!words.empty()) output_.tell_version(words[0], line.offset);
    } else if (const auto runtime = after(text, "CUDA Runtime Version:")) {
      if (output_.cuda.empty()) output_.cuda = cuda_version(*runtime);
    } else if (text.starts_with("CUDA Driver Version") && contains(text, ":")) {
      output_.cuda = cuda_version(text.substr(text.find(':') + 1));
    } else if (const auto driver = after(text, "Driver Version:")) {
      output_.driver = input::printable(*driver);
    } else if (auto device =
                   text.starts_with("Device ") ? device_in(text.substr(7)) : std::nullopt) {
      output_.tell_device(std::move(*device), line.offset);
    } else {
      return false;
    }
    return true;
  }

  /// "Running host_to_device_memcpy_ce."
  static std::optional<std::string> test_in(const Words& words) {
    if (words[0] != "Running" || words.size() != 2) return std::nullopt;
    std::string_view name = words[1];
    if (name.ends_with('.')) name.remove_suffix(1);
    const bool is_name =
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
    return is_name && contains(name, "_") ? std::optional(std::string(name)) : std::nullopt;
  }

  /// The message can follow the line with the name of its test. `line`: line number of the message.
  void waive(std::string_view message, std::size_t line) {
    std::string what = input::printable(message);
    if (!test_.empty() && !has_table_) {
      what = std::exchange(test_, {});
    } else if (what.empty()) {
      what = fmt::format("the test that line {} does not name", line);
    }
    output_.left_out.push_back({std::move(what), kWaived});
    is_open_ = false;
  }

  /// A test without a table is skipped.
  void end_test() {
    if (!test_.empty() && !has_table_) output_.left_out.push_back({test_, "it has no table"});
    is_open_ = has_table_ = false;
    test_.clear();
  }

  void read_table(const Words& words, const Line& line) {
    Table& table = output_.tables.back();
    if (table.columns == 0) {
      table.columns = numbered_columns(words);
      return;
    }
    const auto label = parse<std::size_t>(words[0]);
    const bool is_row =
        label && words.size() > 1 && (words[1] == "N/A" || parse<double>(words[1]).has_value());
    if (!is_row) return;
    if (!table.rows.empty() && *label <= table.rows.back().label) {
      output_.left_out.push_back(
          {fmt::format("{}, row {} (line {})", table.test, *label, line.number),
           "it is out of order"});
      return;
    }
    table.rows.push_back({*label, {words.begin() + 1, words.end()}, line.number, line.unfinished});
  }

  Output& output_;
  std::string test_;        ///< the current test; empty before the first
  bool has_table_ = false;  ///< the current test has printed a table
  bool is_open_ = false;    ///< rows of the last table can follow
};

}  // namespace

void read_text(std::string_view text, Output& output) { TextReader(output).read(text); }

}  // namespace vgsim::calibration::logs::nvbandwidth
