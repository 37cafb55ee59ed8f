#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "tests/generated/children.hpp"
#include "tests/generated/generator.hpp"
#include "tests/generated/invariants.hpp"
#include "tests/generated/shrink.hpp"
#include "tests/generated/valid.hpp"
#include "tools/cli/config_files.hpp"

namespace vgsim::generated {
namespace {

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t count = 300;
  std::uint64_t from = 0;
  std::size_t jobs = 2;
  std::size_t shrink_tries = 150;
  double seconds = 120;
  std::string write;
  std::vector<std::string> files;
  bool print = false;
};

/// The first of its kind, and how many there are.
struct Finding {
  Violation first;
  std::uint64_t number = 0;
  std::size_t count = 0;
};

/// The kind of a violation: its invariant, and its text without numbers and names.
std::string kind_of(const Violation& violation) {
  static const std::regex kVaries("\"[^\"]*\"|[0-9][0-9.e+-]*|generated|\\S*/\\S*");
  const std::string words = std::regex_replace(violation.detail, kVaries, "");
  const bool many = violation.invariant == "internal error" || violation.invariant == "died";
  return violation.invariant + (many ? ": " + words.substr(0, 80) : "");
}

std::vector<Violation> violations_in(const ItemResult& result) {
  if (!result.death.empty()) return {{"died", result.death}};
  std::vector<Violation> violations;
  for (const auto& one : result.value["violations"]) {
    violations.push_back({one["invariant"], one["detail"]});
  }
  return violations;
}

class Campaign {
 public:
  Campaign(const Options& options, const scenario::Library& library)
      : options_(options),
        library_(library),
        words_(words_of(library, VGSIM_SOURCE_DIR "/configs")) {
    limits_.cpu_seconds = options.seconds;
  }

  int generated() {
    for_each_in_children(
        options_.count, options_.jobs, limits_,
        [&](std::size_t item) {
          const std::uint64_t number = options_.from + item;
          return to_json(examine(scenario_of(number).dump(), kPath, library_, depth_of(number)));
        },
        [&](const ItemResult& result) { take(result); });
    report();
    return findings_.empty() ? 0 : 1;
  }

  int of_files() {
    bool clean = true;
    for (const std::string& file : options_.files) {
      std::ostringstream text;
      text << std::ifstream(file).rdbuf();
      const ItemResult result = in_a_child(
          limits_, [&] { return to_json(examine(text.str(), file, library_, whole_depth())); });
      for (const Violation& violation : violations_in(result)) {
        fmt::print("{}: {}: {}\n", file, violation.invariant, violation.detail);
        clean = false;
      }
      if (result.death.empty()) {
        fmt::print("{}: {}\n", file, result.value["outcome"].get<std::string>());
      }
    }
    return clean ? 0 : 1;
  }

  void print() const {
    for (std::uint64_t i = 0; i < options_.count; ++i) {
      fmt::print("{}\n", scenario_of(options_.from + i).dump(1));
    }
  }

 private:
  /// Files that a generated scenario names lie beside the shipped ones.
  static constexpr const char* kPath = VGSIM_SOURCE_DIR "/configs/scenarios/generated.json";

  [[nodiscard]] Json scenario_of(std::uint64_t number) const {
    return generate_valid(words_, library_, kPath, options_.seed, number);
  }

  /// Where looking for a valid draft itself ends the process, it is the first one.
  [[nodiscard]] Json scenario_again(std::uint64_t number) const {
    const ItemResult result = in_a_child(limits_, [&] { return scenario_of(number); });
    return result.death.empty() ? Json(result.value) : generate(words_, options_.seed, number);
  }

  void take(const ItemResult& result) {
    const std::uint64_t number = options_.from + result.item;
    ++outcomes_[result.death.empty() ? result.value["outcome"].get<std::string>() : "died"];
    std::set<std::string> kinds;
    for (const Violation& violation : violations_in(result)) {
      const std::string kind = kind_of(violation);
      if (!kinds.insert(kind).second) continue;
      Finding& finding = findings_[kind];
      if (finding.count == 0) {
        fmt::print(stderr, "{}: {}: {}\n", number, violation.invariant,
                   violation.detail.substr(0, 200));
      }
      if (finding.count++ == 0 || number < finding.number) {
        finding.first = violation;
        finding.number = number;
      }
    }
  }

  [[nodiscard]] bool still_happens(const Json& scenario, std::uint64_t number,
                                   const std::string& kind) const {
    const ItemResult result = in_a_child(limits_, [&] {
      return to_json(examine(scenario.dump(), kPath, library_, depth_of(number)));
    });
    const auto violations = violations_in(result);
    return std::any_of(violations.begin(), violations.end(),
                       [&](const Violation& one) { return kind_of(one) == kind; });
  }

  void report() {
    std::string line;
    for (const auto& [outcome, count] : outcomes_) line += fmt::format(", {} {}", count, outcome);
    fmt::print("{} scenarios of seed {}{}\n", options_.count, options_.seed, line);
    std::size_t file = 0;
    for (const auto& [kind, finding] : findings_) {
      fmt::print("\n{} x {}\n  first: --seed {} --from {} --count 1: {}\n", finding.count, kind,
                 options_.seed, finding.number, finding.first.detail.substr(0, 600));
      Json scenario = scenario_again(finding.number);
      if (options_.shrink_tries > 0) {
        scenario = shrunk(scenario, options_.shrink_tries, [&](const Json& smaller) {
          return still_happens(smaller, finding.number, kind_of(finding.first));
        });
      }
      fmt::print("  smallest: {}\n", scenario.dump());
      std::fflush(stdout);
      if (options_.write.empty()) continue;
      std::filesystem::create_directories(options_.write);
      std::ofstream(fmt::format("{}/{:02}.json", options_.write, ++file))
          << scenario.dump(2) << '\n';
      std::ofstream(fmt::format("{}/{:02}.txt", options_.write, file))
          << fmt::format("{} x {}\n{}\n--seed {} --from {} --count 1\n", finding.count, kind,
                         finding.first.detail, options_.seed, finding.number);
    }
  }

  const Options& options_;
  const scenario::Library& library_;
  Words words_;
  ChildLimits limits_;
  std::map<std::string, std::size_t> outcomes_;
  std::map<std::string, Finding> findings_;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Generates scenarios over the whole language, runs each as `vgsim run` does and reports\n"
      "violated invariants, each with the smallest scenario that shows it. Exit code 1: there\n"
      "are some.");
  app.add_option("--seed", options.seed, "other scenarios")->capture_default_str();
  app.add_option("--count", options.count, "how many")->capture_default_str();
  app.add_option("--from", options.from, "number of the first")->capture_default_str();
  app.add_option("--jobs", options.jobs, "processes at a time")->capture_default_str();
  app.add_option("--seconds", options.seconds, "of a processor that one may take")
      ->capture_default_str();
  app.add_option("--shrink", options.shrink_tries, "tries to make a finding smaller; 0: none")
      ->capture_default_str();
  app.add_option("--write", options.write, "folder for the smallest scenarios");
  app.add_flag("--print", options.print, "write the scenarios and run none");
  app.add_option("FILE", options.files, "look at these scenarios instead");
  CLI11_PARSE(app, argc, argv);
  const auto library = cli::load_library(VGSIM_SOURCE_DIR "/configs");
  if (!library) throw std::runtime_error(input::render(library.error()));
  Campaign campaign(options, *library);
  if (options.print) {
    campaign.print();
    return 0;
  }
  return options.files.empty() ? campaign.generated() : campaign.of_files();
}

}  // namespace
}  // namespace vgsim::generated

#if defined(__SANITIZE_ADDRESS__)
/// A sanitizer makes frames many times as large, and NCCL's search on a rack of 72 GPUs is some
/// thousand calls deep: the program starts itself once more with a stack for that.
static void with_a_deep_stack(char** arguments) {
  constexpr rlim_t kStack = rlim_t{256} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStack) return;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < kStack) return;
  limit.rlim_cur = kStack;
  if (setrlimit(RLIMIT_STACK, &limit) == 0) execv("/proc/self/exe", arguments);
}
#endif

int main(int argc, char** argv) {
#if defined(__SANITIZE_ADDRESS__)
  with_a_deep_stack(argv);
#endif
  return vgsim::generated::run(argc, argv);
}
