#include "topology/spec/server_keys.hpp"

#include <regex>
#include <string_view>
#include <utility>

namespace vgsim::topology {
namespace {

using namespace input;

using TextMatch = std::match_results<std::string_view::const_iterator>;

bool matches(std::string_view text, const std::regex& pattern, TextMatch& match) {
  constexpr std::size_t kMostBytes = 200;
  return text.size() <= kMostBytes && std::regex_match(text.begin(), text.end(), match, pattern);
}

constexpr const char* kCpuPattern =
    "^([1-9][0-9]?) ?([xX*]|\xC3\x97) ?([A-Za-z0-9][A-Za-z0-9 .,()+_-]*)$";

std::optional<CpuCount> parse_cpu_count(std::string_view text) {
  static const std::regex pattern(kCpuPattern);
  TextMatch match;
  if (!matches(text, pattern, match)) return std::nullopt;
  return CpuCount{std::stoll(match[1].str()), match[3].str()};
}

constexpr const char* kSlotPattern =
    "^[Gg]en ?([1-9]) x(1|2|4|8|16|32) (on|under) ([A-Za-z0-9][A-Za-z0-9._+-]*)$";
constexpr const char* kSlotsPattern =
    "^(([1-9][0-9]?) ?([xX*]|\xC3\x97) )?[Gg]en ?([1-9]) x(1|2|4|8|16|32) (on|under) "
    "([A-Za-z0-9][A-Za-z0-9._+-]*)$";

std::optional<SlotSpec> parse_slots(std::string_view text) {
  static const std::regex pattern(kSlotsPattern);
  TextMatch match;
  if (!matches(text, pattern, match)) return std::nullopt;
  return SlotSpec{match[2].matched ? std::stoll(match[2].str()) : 1, std::stoll(match[4].str()),
                  std::stoll(match[5].str()), match[7].str()};
}

std::optional<SlotSpec> parse_slot(std::string_view text) {
  static const std::regex pattern(kSlotPattern);
  TextMatch match;
  return matches(text, pattern, match) ? parse_slots(text) : std::nullopt;
}

/// A PCIe domain has 256 buses, and a switch uses at least two: PCI Express Base
/// Specification, 2.2.4.2.
constexpr std::size_t kMostSwitches = 128;

Decoder<SlotSpec> one_slot() {
  return text("a PCIe link such as \"gen5 x16 on socket0\"", kSlotPattern, &parse_slot);
}

Decoder<SlotSpec> some_slots() {
  return text("PCIe slots such as \"2 x gen5 x16 on socket0\"", kSlotsPattern, &parse_slots);
}

Decoder<RootComplex> root_complex() {
  return record<RootComplex>({
      key("socket", &RootComplex::socket, count(0, 63)).required(),
      key("quadrant", &RootComplex::quadrant, count(0, 3))
          .describe("quarter of the socket: its NUMA node where the BIOS makes four of a socket")
          .default_text("not known"),
  });
}

}  // namespace

Keys<ServerSpec> server_keys() {
  return {
      key("name", &ServerSpec::name, name())
          .describe("what it is called in answers")
          .default_text("\"server of the scenario\"")
          .examples({"HPE ProLiant DL380a Gen12"}),
      key("cpu", &ServerSpec::cpu,
          text("a number of CPUs such as \"2 x intel-granite-rapids\"", kCpuPattern,
               &parse_cpu_count))
          .required()
          .describe("one for each socket, by its catalogue name")
          .examples({"2 x intel-granite-rapids"}),
      key("root_complexes", &ServerSpec::root_complexes,
          named("name of a root complex", root_complex()))
          .describe("root complexes that several slots share, or whose quarter of the socket is "
                    "known")
          .default_text("one for each slot on a socket"),
      key("pcie_switches", &ServerSpec::pcie_switches,
          named("name of a PCIe switch", one_slot(), 0, kMostSwitches))
          .describe("PCIe switches, each with its link upwards: generation, width, and the socket, "
                    "root complex or switch above it")
          .default_text("none"),
      key("gpu_slots", &ServerSpec::gpu_slots, list(placed(some_slots()), 0, 128))
          .describe("slots for GPUs in the order of GPU numbers, each with the socket, root "
                    "complex or switch above it")
          .default_text("none"),
      key("nic_slots", &ServerSpec::nic_slots, named("name of a slot", one_slot()))
          .describe("slots for NICs, in the same words")
          .default_text("none"),
      key("nvme", &ServerSpec::nvme, one_slot())
          .describe("local drive, in the same words")
          .default_text("on the first socket"),
  };
}

Decoder<ServerChoice> server_choice() {
  const auto by_name = changed(name(), [](std::string name) {
    return ServerChoice{std::move(name), std::nullopt};
  });
  const auto described = changed(record<ServerSpec>(server_keys()), [](ServerSpec server) {
    return ServerChoice{{}, std::move(server)};
  });
  return any_of<ServerChoice>({by_name, described});
}

}  // namespace vgsim::topology
