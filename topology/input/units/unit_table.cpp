#include "topology/input/units/unit_table.hpp"

#include <array>
#include <stdexcept>

namespace vgsim::input {
namespace {

constexpr std::int64_t kKilo = 1'000;
constexpr std::int64_t kMega = kKilo * 1'000;
constexpr std::int64_t kGiga = kMega * 1'000;
constexpr std::int64_t kTera = kGiga * 1'000;
constexpr std::int64_t kPeta = kTera * 1'000;
constexpr std::int64_t kKibi = 1LL << 10;
constexpr std::int64_t kMebi = 1LL << 20;
constexpr std::int64_t kGibi = 1LL << 30;
constexpr std::int64_t kTebi = 1LL << 40;
constexpr std::int64_t kPebi = 1LL << 50;
constexpr std::int64_t kSecond = kPicosecondsPerSecond;

constexpr std::array<Unit, 11> kBytes = {{{"B", 1},
                                          {"kB", kKilo},
                                          {"MB", kMega},
                                          {"GB", kGiga},
                                          {"TB", kTera},
                                          {"PB", kPeta},
                                          {"KiB", kKibi},
                                          {"MiB", kMebi},
                                          {"GiB", kGibi},
                                          {"TiB", kTebi},
                                          {"PiB", kPebi}}};

constexpr std::array<Unit, 28> kRates = {{{"B/s", 1},
                                          {"kB/s", kKilo},
                                          {"MB/s", kMega},
                                          {"GB/s", kGiga},
                                          {"TB/s", kTera},
                                          {"PB/s", kPeta},
                                          {"KiB/s", kKibi},
                                          {"MiB/s", kMebi},
                                          {"GiB/s", kGibi},
                                          {"TiB/s", kTebi},
                                          {"PiB/s", kPebi},
                                          {"bit/s", 1, 8},
                                          {"kbit/s", kKilo, 8},
                                          {"Mbit/s", kMega, 8},
                                          {"Gbit/s", kGiga, 8},
                                          {"Tbit/s", kTera, 8},
                                          {"Pbit/s", kPeta, 8},
                                          {"kb/s", kKilo, 8, false},
                                          {"Mb/s", kMega, 8, false},
                                          {"Gb/s", kGiga, 8, false},
                                          {"Tb/s", kTera, 8, false},
                                          {"Pb/s", kPeta, 8, false},
                                          {"kbps", kKilo, 8, false},
                                          {"Mbps", kMega, 8, false},
                                          {"Gbps", kGiga, 8, false},
                                          {"Tbps", kTera, 8, false},
                                          {"Pbps", kPeta, 8, false},
                                          {"GbE", kGiga, 8, false}}};

// The micro sign has two code points, U+00B5 and U+03BC.
constexpr std::array<Unit, 9> kTimes = {{{"ps", 1},
                                         {"ns", kKilo},
                                         {"us", kMega},
                                         {"ms", kGiga},
                                         {"s", kSecond},
                                         {"min", 60 * kSecond},
                                         {"h", 3600 * kSecond},
                                         {"\xC2\xB5s", kMega, 1, false},
                                         {"\xCE\xBCs", kMega, 1, false}}};

constexpr std::array<Unit, 6> kFlops = {{{"FLOP", 1},
                                         {"kFLOP", kKilo},
                                         {"MFLOP", kMega},
                                         {"GFLOP", kGiga},
                                         {"TFLOP", kTera},
                                         {"PFLOP", kPeta}}};

constexpr std::array<Unit, 12> kFlopRates = {{{"FLOP/s", 1},
                                              {"kFLOP/s", kKilo},
                                              {"MFLOP/s", kMega},
                                              {"GFLOP/s", kGiga},
                                              {"TFLOP/s", kTera},
                                              {"PFLOP/s", kPeta},
                                              {"FLOPS", 1, 1, false},
                                              {"kFLOPS", kKilo, 1, false},
                                              {"MFLOPS", kMega, 1, false},
                                              {"GFLOPS", kGiga, 1, false},
                                              {"TFLOPS", kTera, 1, false},
                                              {"PFLOPS", kPeta, 1, false}}};

}  // namespace

const UnitTable& unit_table(UnitKind kind) {
  static constexpr UnitTable kBytesTable = {"a size", "25 MiB",   kBytes,           6,
                                            "bytes",  {"b", "b"}, {"GB", "GiB", ""}};
  static constexpr UnitTable kRateTable = {
      "a rate", "25 GB/s", kRates, 6, "bytes per second", {"b/s", "/s"}, {"GB/s", "Gbit/s", ""}};
  static constexpr UnitTable kTimeTable = {"a duration",  "1.5 ms",    kTimes,           7,
                                           "picoseconds", {"s", "in"}, {"us", "ms", "s"}};
  static constexpr UnitTable kFlopsTable = {
      "a number of operations", "8.2 GFLOP",           kFlops, 6, "operations",
      {"flop", "lop"},          {"GFLOP", "TFLOP", ""}};
  static constexpr UnitTable kFlopRateTable = {"a speed",
                                               "312 TFLOP/s",
                                               kFlopRates,
                                               6,
                                               "operations per second",
                                               {"flop/s", "/s"},
                                               {"GFLOP/s", "TFLOP/s", ""}};
  switch (kind) {
    case UnitKind::bytes:
      return kBytesTable;
    case UnitKind::bytes_per_second:
      return kRateTable;
    case UnitKind::time:
      return kTimeTable;
    case UnitKind::flops:
      return kFlopsTable;
    case UnitKind::flops_per_second:
      return kFlopRateTable;
  }
  throw std::logic_error("quantity of unknown kind");
}

}  // namespace vgsim::input
