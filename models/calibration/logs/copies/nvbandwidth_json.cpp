#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "models/calibration/logs/copies/nvbandwidth_output.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::calibration::logs::nvbandwidth {
namespace {

using input::Diagnostics;
using input::Value;

/// Lines of a launcher can surround the JSON, and a file can contain several runs. Each document
/// begins with a brace at the start of a line and is delimited by counting braces outside strings.
/// Locations in its errors are converted to those in the file.
class JsonReader {
 public:
  JsonReader(const input::SourcePtr& file, Output& output) : file_(file), output_(output) {}

  void read() {
    const std::string_view text = file_->text;
    for (std::size_t begin = next_document(0); begin < text.size();) {
      const std::size_t end = end_of_document(begin);
      if (contains(text.substr(begin, end - begin), "\"nvbandwidth\"")) read_document(begin, end);
      begin = next_document(end);
    }
  }

 private:
  /// The position of the next brace that begins a line.
  [[nodiscard]] std::size_t next_document(std::size_t from) const {
    const std::string_view text = file_->text;
    bool is_at_begin = from == 0;
    for (; from < text.size(); ++from) {
      if (text[from] == '{' && is_at_begin) return from;
      is_at_begin = text[from] == '\n' || (is_at_begin && is_blank(text[from]));
    }
    return text.size();
  }

  /// The position of the matching closing brace.
  [[nodiscard]] std::size_t end_of_document(std::size_t begin) const {
    const std::string_view text = file_->text;
    bool is_in_string = false;
    std::size_t depth = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
      if (is_in_string && text[at] == '\\') {
        ++at;
      } else if (text[at] == '"') {
        is_in_string = !is_in_string;
      } else if (!is_in_string && text[at] == '{') {
        ++depth;
      } else if (!is_in_string && text[at] == '}' && --depth == 0) {
        return at + 1;
      }
    }
    return text.size();
  }

  void read_document(std::size_t begin, std::size_t end) {
    const auto document =
        input::read_json(input::make_source(file_->path, file_->text.substr(begin, end - begin)));
    if (!document) return report(document.error(), begin);
    const input::Member* const root = document->member("nvbandwidth");
    if (root == nullptr || !root->value.is_object()) return;
    read_machine(root->value, begin);
    const std::string error = stated(root->value, "error");
    if (!error.empty()) output_.left_out.push_back({"nvbandwidth", input::printable(error)});
    const input::Member* const tests = root->value.member("testcases");
    if (tests == nullptr || !tests->value.is_array()) return;
    for (const Value& test : tests->value.elements()) read_test(test);
  }

  /// `begin`: position of the document in the file.
  void report(const Diagnostics& found, std::size_t begin) {
    for (input::Diagnostic each : found.items()) {
      each.location.source = file_;
      each.location.offset += begin;
      output_.errors.add(std::move(each));
    }
  }

  /// A string or a number as text; empty for other values.
  static std::string text_of(const Value& value) {
    if (value.is_string()) return value.string();
    if (value.kind() == input::Kind::integer) return fmt::format("{}", value.integer());
    if (value.kind() == input::Kind::number) return fmt::format("{}", value.number());
    return {};
  }

  /// The member of an object as text; see text_of().
  static std::string stated(const Value& object, std::string_view key) {
    const input::Member* const member = object.member(key);
    return member == nullptr ? std::string() : text_of(member->value);
  }

  void read_machine(const Value& root, std::size_t begin) {
    const std::string version = stated(root, "version");
    if (!version.empty()) output_.tell_version(version, begin);
    for (const char* key :
         {"CUDA Driver API Version", "CUDA Driver Version", "CUDA Runtime Version"}) {
      if (output_.cuda.empty()) output_.cuda = cuda_version(stated(root, key));
    }
    output_.driver = input::printable(stated(root, "Driver Version"));
    if (const auto size = buffer_size(stated(root, "bufferSize"))) output_.mebibytes = size;
    const input::Member* const list = root.member("GPU Device list");
    if (list == nullptr || !list->value.is_array()) return;
    for (const Value& each : list->value.elements()) {
      if (auto device = device_in(text_of(each))) output_.tell_device(std::move(*device), begin);
    }
  }

  void read_test(const Value& test) {
    Table table;
    table.test = input::printable(stated(test, "name"));
    table.heading = input::printable(stated(test, "bandwidth_description"));
    const std::string status = stated(test, "status");
    const input::Member* const matrix = test.member("bandwidth_matrix");
    if (status == "Waived") {
      output_.left_out.push_back({table.test, kWaived});
    } else if (matrix == nullptr || !matrix->value.is_array() ||
               (!status.empty() && status != "Passed")) {
      output_.left_out.push_back(
          {table.test, fmt::format("no table, status \"{}\"", input::printable(status))});
    } else {
      for (const Value& row : matrix->value.elements()) add_row(row, table);
      keep_totals(table);
      output_.tables.push_back(std::move(table));
    }
  }

  static void add_row(const Value& row, Table& table) {
    Row added;
    added.label = table.rows.size();
    if (row.is_array()) {
      for (const Value& cell : row.elements()) {
        added.cells.push_back(cell.is_null() ? "N/A" : text_of(cell));
      }
    }
    table.columns = std::max(table.columns, added.cells.size());
    table.rows.push_back(std::move(added));
  }

  /// JSON joins the tables of both directions and of the totals. Keeps only the totals.
  static void keep_totals(Table& table) {
    if (!contains(table.heading, "Total") || table.rows.size() != 3 * table.columns) return;
    table.rows.erase(table.rows.begin(), table.rows.end() - static_cast<long>(table.columns));
    for (std::size_t r = 0; r < table.rows.size(); ++r) table.rows[r].label = r;
  }

  input::SourcePtr file_;
  Output& output_;
};

}  // namespace

bool is_json(std::string_view text) {
  return contains(text, "\"nvbandwidth\"") && contains(text, "\"testcases\"");
}

void read_json(const input::SourcePtr& file, Output& output) { JsonReader(file, output).read(); }

}  // namespace vgsim::calibration::logs::nvbandwidth
