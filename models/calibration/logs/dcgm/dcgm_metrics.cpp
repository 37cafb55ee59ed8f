#include "models/calibration/logs/dcgm/dcgm_metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "models/calibration/logs/dcgm/dcgm_entities.hpp"
#include "models/calibration/logs/dcgm/dcgm_fields.hpp"
#include "models/calibration/logs/dcgm/dcgm_prometheus.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::calibration {
namespace {

using input::Diagnostics;
using logs::Line;
using logs::Words;
namespace codes = topology::import_codes;

constexpr std::size_t kMostEntities = 65536;

/// "#Entity   GPUTL  SMACT", in early releases "# Entity".
bool is_dmon_header(const Words& words) {
  return words.size() > 1 && (words[0] == "#Entity" || (words[0] == "#" && words[1] == "Entity"));
}

/// "DCGM_FI_DEV_SM_CLOCK,  gauge, SM clock frequency (in MHz)."
bool is_of_field_list(std::string_view line) {
  std::string_view rest = line;
  const std::string_view name = logs::trimmed(logs::cut_at(rest, ","));
  const std::string_view type = logs::trimmed(logs::cut_at(rest, ","));
  return name.starts_with("DCGM_") && (type == "gauge" || type == "counter" || type == "label" ||
                                       type == "histogram" || type == "summary");
}

/// Two formats: Prometheus lines (name{labels} value) and the table of dcgmi dmon, whose header
/// repeats every few lines. The result is the mean over the samples of an entity, a GPU or one of
/// its MIG instances. Lines of NVLinks and switches have other labels and are skipped.
class MetricsReader {
 public:
  MetricsReader(const input::SourcePtr& file, Diagnostics& warnings)
      : file_(file), warnings_(warnings) {}

  tl::expected<DcgmMetrics, Diagnostics> read() {
    for (const Line& line : logs::lines_in(file_->text)) read_line(line);
    if (values_ == 0) return tl::unexpected(nothing());
    if (odd_lines_ > 0) {
      warnings_.warning(codes::kOddValue.code, {file_, first_odd_, 1}, "",
                        fmt::format("{} lines of DCGM cannot be read: skipped", odd_lines_));
    }
    return entities_.all();
  }

 private:
  void read_line(const Line& line) {
    if (line.text.empty()) return;
    if (line.text.starts_with('#')) return read_comment(line.text);
    if (is_of_field_list(line.text)) {
      if (fields_++ == 0) first_field_ = line.offset;
      return;
    }
    if (!columns_.empty() && read_row(line)) return;
    const bool is_ours = line.text.starts_with("DCGM_") || line.text.starts_with("dcgm_");
    if (!is_ours) return;
    if (const auto sample = logs::dcgm::sample_in(line.text)) {
      read_sample(*sample);
    } else {
      note_odd(line);
    }
  }

  /// A comment, or the header of a `dcgmi dmon` table, which repeats every few lines.
  void read_comment(std::string_view text) {
    const Words words = logs::split(text);
    if (!is_dmon_header(words)) return;
    columns_.assign(words.begin() + (words[0] == "#" ? 2 : 1), words.end());
  }

  void note_odd(const Line& line) {
    if (odd_lines_++ == 0) first_odd_ = line.offset;
  }

  /// "GPU 0     98      0.951"; false for any other line.
  bool read_row(const Line& line) {
    const Words words = logs::split(line.text);
    const bool is_instance = words[0] == "GPU-I" || words[0] == "GPU-CI";
    if (words.size() < 2 || (words[0] != "GPU" && !is_instance)) return false;
    if (!logs::number_in(words[1], kMostEntities)) return false;
    if (words.size() != columns_.size() + 2) {
      note_odd(line);
      return true;
    }
    DcgmEntity entity;
    if (is_instance) {
      entity.instance = fmt::format("{} {}", words[0], words[1]);
    } else {
      entity.gpu = std::string(words[1]);
    }
    if (known_entities_ >= kMostEntities) return true;
    const std::size_t place = tell(entity);
    for (std::size_t c = 0; c < columns_.size(); ++c) take(place, columns_[c], words[c + 2]);
    return true;
  }

  void read_sample(const logs::dcgm::Sample& sample) {
    const bool is_of_link = !logs::dcgm::label_of(sample, "nvlink", "nvswitch").empty();
    DcgmEntity entity;
    entity.gpu = logs::dcgm::label_of(sample, "gpu", "gpu_index");
    if (is_of_link || entity.gpu.empty() || known_entities_ >= kMostEntities) return;
    entity.host = logs::dcgm::label_of(sample, "Hostname", "hostname");
    entity.instance = logs::dcgm::label_of(sample, "GPU_I_ID", "gpu_instance_id");
    entity.profile = logs::dcgm::label_of(sample, "GPU_I_PROFILE", "gpu_instance_profile");
    entity.uuid = logs::dcgm::label_of(sample, "UUID", "uuid");
    entity.model = logs::dcgm::label_of(sample, "modelName", "gpu_model");
    entity.bus_id =
        topology::normalized_bus_id(logs::dcgm::label_of(sample, "pci_bus_id", "PCI_BUS_ID"));
    take(tell(entity), sample.name, sample.value);
  }

  std::size_t tell(const DcgmEntity& entity) {
    const std::size_t place = entities_.tell(entity);
    known_entities_ = std::max(known_entities_, place + 1);
    return place;
  }

  void take(std::size_t entity, std::string_view name, std::string_view text) {
    const logs::dcgm::Field* const field = logs::dcgm::field_of(name);
    if (field == nullptr) return entities_.tell_unused(name);
    const auto value = logs::dcgm::value_of(*field, text);
    if (!value) return;
    ++values_;
    entities_.tell(entity, *field, *value);
  }

  Diagnostics nothing() {
    Diagnostics errors;
    const std::string expected =
        "the output of dcgm-exporter at /metrics, or of dcgmi dmon, for a busy GPU";
    if (fields_ > 0) {
      errors.error(codes::kNotThisFormat.code, {file_, first_field_, 1}, "",
                   fmt::format("a list of {} fields for dcgm-exporter, which is its configuration, "
                               "not a measurement",
                               fields_),
                   expected);
    } else {
      errors.error(codes::kNothingInIt.code, {file_, 0, 1}, "",
                   "no value of a used DCGM field of a GPU", expected);
    }
    return errors;
  }

  input::SourcePtr file_;
  Diagnostics& warnings_;
  logs::dcgm::Entities entities_;
  std::vector<std::string> columns_;  ///< of the current `dcgmi dmon` table
  std::size_t known_entities_ = 0;
  std::size_t values_ = 0;
  std::size_t fields_ = 0;  ///< lines of a list of fields
  std::size_t first_field_ = 0;
  std::size_t odd_lines_ = 0;
  std::size_t first_odd_ = 0;
};

}  // namespace

bool is_dcgm_metrics(std::string_view text) {
  if (logs::contains(text, "DCGM_FI_") || logs::contains(text, "dcgm_gpu_")) return true;
  for (std::size_t at = text.find("Entity"); at != std::string_view::npos;) {
    const std::size_t before = text.rfind('\n', at);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Words words = logs::split(text.substr(begin, end - begin));
    const bool is_header =
        is_dmon_header(words) && std::ranges::any_of(words, [](std::string_view word) {
          return logs::dcgm::field_of(word) != nullptr;
        });
    if (is_header) return true;
    at = text.find("Entity", end);
  }
  return false;
}

tl::expected<DcgmMetrics, Diagnostics> read_dcgm_metrics(const input::SourcePtr& file,
                                                         Diagnostics& warnings) {
  return MetricsReader(file, warnings).read();
}

}  // namespace vgsim::calibration
