#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/logs/copies/bandwidth_matrix.hpp"
#include "models/calibration/logs/copies/device_list.hpp"
#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

/// The contents of nvbandwidth's output, from text or JSON.
namespace vgsim::calibration::logs::nvbandwidth {

inline constexpr const char* kWaived = "waived by nvbandwidth";

/// A table as printed.
struct Table {
  std::string test;
  std::string heading;
  std::size_t columns = 0;  ///< 0: unknown
  std::vector<Row> rows;
};

/// The contents of all runs in a file. Runs of different versions or on different devices are
/// errors (E622).
class Output {
 public:
  explicit Output(input::SourcePtr file);

  std::string version;  ///< "v0.6"
  std::string driver;
  std::string cuda;
  std::optional<std::int64_t> mebibytes;  ///< of the copies
  std::vector<Table> tables;
  std::vector<LeftOut> left_out;
  input::Diagnostics errors;

  /// `offset`: position in the file.
  void tell_version(std::string_view text, std::size_t offset);
  void tell_device(Device device, std::size_t offset);

  /// The devices of all runs. Call it after all lines were added.
  std::vector<MeasuredGpu> devices();

 private:
  void check_list(std::optional<std::size_t> other);

  input::SourcePtr file_;
  DeviceList list_;
};

/// The device in "0: NVIDIA GH200 480GB (00000009:01:00)". JSON adds ": (hostname)". Before v0.5
/// there is no address.
[[nodiscard]] std::optional<Device> device_in(std::string_view text);

/// "12.4" from 12040, or from "12.4 (12040)" as v0.10 prints it.
[[nodiscard]] std::string cuda_version(std::string_view text);

/// A size of copies in MiB, if it is plausible.
[[nodiscard]] std::optional<std::int64_t> buffer_size(std::string_view text);

/// Reads the text output of nvbandwidth. The file can contain other lines.
void read_text(std::string_view text, Output& output);

/// Whether a text contains output of `nvbandwidth -j`.
[[nodiscard]] bool is_json(std::string_view text);

/// Reads the output of `nvbandwidth -j`. The file can contain other lines around each document,
/// which begins a line.
void read_json(const input::SourcePtr& file, Output& output);

}  // namespace vgsim::calibration::logs::nvbandwidth
