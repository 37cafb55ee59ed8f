#include "models/scoring/kinds/kernel_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "models/vsphere/import/table/csv.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/importers/file_notes.hpp"

namespace vgsim::scoring {
namespace {

namespace codes = topology::import_codes;
using topology::FileNotes;
using topology::Place;
using vsphere::import::CsvCell;
using vsphere::import::CsvReader;
using vsphere::import::CsvRow;

constexpr std::size_t kMostFile = std::size_t{64} << 20;
constexpr double kMostOfADimension = 1e9;

constexpr std::array<std::string_view, 3> kDimensionsOfProducts = {"m", "n", "k"};
constexpr std::array<std::string_view, 5> kDimensionsOfAttention = {"batch", "tokens", "heads",
                                                                    "kv_heads", "head_size"};

/// Headings determine the columns and the kind of kernel; each line is checked separately.
class KernelTableReader {
 public:
  KernelTableReader(const input::SourcePtr& file, const topology::Catalog& catalog)
      : notes_(file), catalog_(catalog) {}

  tl::expected<std::vector<MeasuredKernel>, input::Diagnostics> read() {
    if (notes_.is_plain_text(kMostFile)) read_lines();
    if (!notes_.failed() && kernels_.empty()) {
      notes_.error(codes::kNothingInIt, Place{0, 1}, "the table has only headings",
                   "a line for each kernel");
    }
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    return std::move(kernels_);
  }

 private:
  void read_lines() {
    CsvReader csv(notes_, vsphere::import::csv_separator(notes_.text()));
    CsvRow row;
    if (!csv.next(row) || !read_headings(row)) return;
    while (csv.next(row)) read_kernel(row);
  }

  bool read_headings(const CsvRow& row) {
    for (std::size_t c = 0; c < row.size(); ++c) columns_.emplace(row[c].text, c);
    const auto has = [&](std::string_view name) { return columns_.contains(name); };
    const bool products =
        std::all_of(kDimensionsOfProducts.begin(), kDimensionsOfProducts.end(), has);
    dimensions_.assign(kDimensionsOfAttention.begin(), kDimensionsOfAttention.end());
    if (products) dimensions_.assign(kDimensionsOfProducts.begin(), kDimensionsOfProducts.end());
    std::vector<std::string_view> wanted = {"gpu", "dtype", "time_us"};
    wanted.insert(wanted.end(), dimensions_.begin(), dimensions_.end());
    std::erase_if(wanted, has);
    if (wanted.empty()) return true;
    notes_.error(codes::kBadValue, row.front().place,
                 fmt::format("no column \"{}\"", fmt::join(wanted, "\", \"")),
                 fmt::format("gpu, dtype and time_us with {} (products) or {} (attention)",
                             fmt::join(kDimensionsOfProducts, ", "),
                             fmt::join(kDimensionsOfAttention, ", ")));
    return false;
  }

  void read_kernel(const CsvRow& row) {
    const auto gpu = gpu_of(row);
    const auto type = type_of(row);
    std::vector<double> size;
    for (const std::string_view dimension : dimensions_) {
      if (const auto value = positive(row, dimension)) size.push_back(*value);
    }
    const auto microseconds = positive(row, "time_us");
    if (!gpu || !type || !microseconds || size.size() < dimensions_.size()) return;
    MeasuredKernel kernel{*gpu, *type, {}, *microseconds * 1e-6};
    if (size.size() == kDimensionsOfProducts.size()) {
      kernel.work = kernels::MatrixProduct{size[0], size[1], size[2], *type == "fp8" ? 1.0 : 2.0};
    } else {
      kernel.work = kernels::Attention{size[0], size[1], size[2], size[3], size[4]};
    }
    kernels_.push_back(std::move(kernel));
  }

  /// Reports a missing cell.
  const CsvCell* cell(const CsvRow& row, std::string_view column) {
    const std::size_t at = columns_.find(column)->second;
    if (at < row.size() && !row[at].text.empty()) return &row[at];
    notes_.error(codes::kBadValue, row.front().place, fmt::format("no {}", column),
                 "a value in each column");
    return nullptr;
  }

  std::optional<double> positive(const CsvRow& row, std::string_view column) {
    const CsvCell* found = cell(row, column);
    if (found == nullptr) return std::nullopt;
    double value = 0;
    const std::string& text = found->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value > 0 &&
        value <= kMostOfADimension) {
      return value;
    }
    notes_.error(codes::kBadValue, found->place, fmt::format("{} is \"{}\"", column, text),
                 fmt::format("a number above 0, at most {:.0e}", kMostOfADimension));
    return std::nullopt;
  }

  /// The catalogue's name; looked up once for each word.
  std::optional<std::string> gpu_of(const CsvRow& row) {
    const CsvCell* found = cell(row, "gpu");
    if (found == nullptr) return std::nullopt;
    const auto [known, is_new] = gpus_.try_emplace(found->text);
    if (is_new) {
      known->second = topology::matching_part(catalog_, "gpus", found->text);
      if (!known->second) {
        notes_.error(codes::kBadValue, found->place,
                     fmt::format("unknown or ambiguous GPU \"{}\"", found->text),
                     "a GPU of the catalogue: see vgsim catalog gpus");
      }
    }
    return known->second;
  }

  std::optional<std::string> type_of(const CsvRow& row) {
    const CsvCell* found = cell(row, "dtype");
    if (found == nullptr) return std::nullopt;
    if (found->text == "bfloat16") return "bf16";
    if (found->text == "float16") return "fp16";
    if (found->text == "bf16" || found->text == "fp16" || found->text == "fp8") return found->text;
    notes_.error(codes::kBadValue, found->place, fmt::format("dtype is \"{}\"", found->text),
                 "bf16, fp16 or fp8");
    return std::nullopt;
  }

  FileNotes notes_;
  const topology::Catalog& catalog_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<std::string_view> dimensions_;
  std::map<std::string, std::optional<std::string>> gpus_;
  std::vector<MeasuredKernel> kernels_;
};

}  // namespace

tl::expected<std::vector<MeasuredKernel>, input::Diagnostics> read_kernel_table(
    const input::SourcePtr& file, const topology::Catalog& catalog) {
  return KernelTableReader(file, catalog).read();
}

}  // namespace vgsim::scoring
