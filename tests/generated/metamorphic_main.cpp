#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/generated/children.hpp"
#include "tests/generated/metamorphic.hpp"
#include "tests/generated/valid.hpp"
#include "tools/cli/config_files.hpp"

namespace vgsim::generated {
namespace {

struct Options {
  std::vector<std::string> relations;
  std::vector<std::string> scenarios;
  std::uint64_t seed = 1;
  std::uint64_t generated = 0;
  std::uint64_t every = 1;
  std::size_t jobs = 2;
  double seconds = 600;
  double tolerance = 0.001;
  std::string exceptions = VGSIM_SOURCE_DIR "/tests/generated/exceptions.json";
  std::string write;
  bool list = false;
};

/// A violation that has a physical reason.
struct Exception {
  std::string relation;  ///< a regular expression over all of its name
  std::string scenario;  ///< a regular expression over subject and figure
  bool nccl = false;     ///< it must go away where NCCL is held to what it chose before
  double most = 0;       ///< worse than this share is not excused
  std::string reason;
  std::size_t used = 0;
};

std::vector<Exception> exceptions_in(const std::string& path) {
  std::vector<Exception> exceptions;
  const Json file = Json::parse(std::ifstream(path));
  for (const Json& one : file["exceptions"]) {
    exceptions.push_back({one["relation"], one["scenario"], one.value("nccl", false), one["most"],
                          one["reason"], 0});
  }
  return exceptions;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Every scenario that ships, by its place in configs/scenarios.
std::vector<std::string> shipped() {
  const std::filesystem::path folder = VGSIM_SOURCE_DIR "/configs/scenarios";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    if (text_of(entry.path()).find("scenario.schema.json\"") == std::string::npos) continue;
    files.push_back(std::filesystem::relative(entry.path(), folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Campaign {
 public:
  Campaign(const Options& options, const scenario::Library& library)
      : options_(options), library_(library), exceptions_(exceptions_in(options.exceptions)) {
    limits_.cpu_seconds = options.seconds;
    limits_.memory = std::uint64_t{8} << 30;  // of the largest that ships
    for (Relation& relation : relations(library)) {
      if (options.relations.empty() ||
          std::count(options.relations.begin(), options.relations.end(), relation.name) > 0) {
        relations_.push_back(std::move(relation));
      }
    }
  }

  void list() const {
    for (const Relation& relation : relations_) {
      fmt::print("{:28} {:10} {}\n", relation.name,
                 relation.effect == Effect::kSame        ? "the same"
                 : relation.effect == Effect::kNotSlower ? "not slower"
                                                         : "not faster",
                 relation.why);
    }
  }

  int all() {
    collect_subjects();
    for_each_in_children(
        subjects_.size(), options_.jobs, limits_,
        [&](std::size_t i) {
          return to_json(try_relations(subjects_[i], relations_, library_, options_.tolerance));
        },
        [&](const ItemResult& result) { take(subjects_[result.item], result); });
    return report();
  }

 private:
  void add(const std::string& name, const std::string& path, const std::string& text) {
    for (Subject& subject : subjects_of(name, path, text)) subjects_.push_back(std::move(subject));
  }

  void collect_subjects() {
    const std::string folder = VGSIM_SOURCE_DIR "/configs/scenarios/";
    if (options_.generated > 0) {
      const Words words = words_of(library_, VGSIM_SOURCE_DIR "/configs");
      for (std::uint64_t i = 0; i < options_.generated; ++i) {
        const std::string path = folder + "generated.json";
        const Json scenario = generate_valid(words, library_, path, options_.seed, i);
        add(fmt::format("generated {}/{}", options_.seed, i), path, scenario.dump());
      }
    } else if (!options_.scenarios.empty()) {
      for (const std::string& file : options_.scenarios) {
        const std::string path = std::filesystem::exists(folder + file) ? folder + file : file;
        add(file, path, text_of(path));
      }
    } else {
      for (const std::string& file : shipped()) add(file, folder + file, text_of(folder + file));
    }
    if (options_.every < 2) return;
    std::vector<Subject> some;
    for (std::size_t i = options_.seed % options_.every; i < subjects_.size();
         i += options_.every) {
      some.push_back(std::move(subjects_[i]));
    }
    subjects_ = std::move(some);
  }

  /// One relation after the other, to see at which the process died.
  void one_by_one(const Subject& subject) {
    for (const Relation& relation : relations_) {
      const ItemResult result = in_a_child(limits_, [&] {
        return to_json(try_relations(subject, {relation}, library_, options_.tolerance));
      });
      if (result.death.empty()) {
        take(subject, result);
      } else {
        say(subject, relation.name, result.death);
      }
    }
  }

  void take(const Subject& subject, const ItemResult& result) {
    if (!result.death.empty()) return one_by_one(subject);
    const Tried tried = tried_from(result.value);
    applied_ += tried.applied;
    for (const std::string& relation : tried.lost) say(subject, relation, "it no longer runs");
    for (const Worse& worse : tried.worse) judge(subject, worse);
  }

  void judge(const Subject& subject, const Worse& worse) {
    const std::string detail = fmt::format(
        "{}: {:.6g} s -> {:.6g} s ({:+.2f} %){}", worse.figure, worse.before_s, worse.after_s,
        100 * worse.share(),
        worse.choices.empty()
            ? ""
            : fmt::format("\n      NCCL{}: {}", worse.nccl ? "'s own choice" : "", worse.choices));
    for (Exception& exception : exceptions_) {
      if (!std::regex_match(worse.relation, std::regex(exception.relation))) continue;
      if (exception.nccl && !worse.nccl) continue;
      if (std::abs(worse.share()) > exception.most) continue;
      if (!std::regex_search(subject.name + ": " + worse.figure, std::regex(exception.scenario)))
        continue;
      ++exception.used;
      excused_ += fmt::format("  {}, {}: {}\n", subject.name, worse.relation, detail);
      return;
    }
    say(subject, worse.relation, detail);
  }

  void say(const Subject& subject, const std::string& relation, const std::string& detail) {
    ++violations_;
    fmt::print(stderr, "{}: {}: {}\n", subject.name, relation, detail);
    found_[relation] += fmt::format("  {}: {}\n", subject.name, detail);
    if (options_.write.empty()) return;
    std::filesystem::create_directories(options_.write);
    const auto known = std::find_if(relations_.begin(), relations_.end(),
                                    [&](const Relation& one) { return one.name == relation; });
    const std::string stem = fmt::format("{}/{:03}", options_.write, violations_);
    std::ofstream(stem + "-before.json") << subject.scenario.dump(2) << '\n';
    if (const auto changed = known->change(subject.scenario)) {
      std::ofstream(stem + "-after.json") << changed->scenario.dump(2) << '\n';
    }
    std::ofstream(stem + ".txt") << subject.name << "\n" << relation << "\n" << detail << '\n';
  }

  int report() const {
    fmt::print("{} relations over {} layouts: {} had a place, {} violations\n", relations_.size(),
               subjects_.size(), applied_, violations_);
    for (const auto& [relation, text] : found_) fmt::print("\n{}\n{}", relation, text);
    if (!excused_.empty()) fmt::print("\nexcused\n{}", excused_);
    for (const Exception& exception : exceptions_) {
      if (exception.used > 0) {
        fmt::print("{} times, {} \"{}\": {}\n", exception.used, exception.relation,
                   exception.scenario, exception.reason);
      }
    }
    return violations_ == 0 ? 0 : 1;
  }

  const Options& options_;
  const scenario::Library& library_;
  std::vector<Relation> relations_;
  std::vector<Exception> exceptions_;
  std::vector<Subject> subjects_;
  ChildLimits limits_;
  std::size_t applied_ = 0;
  std::size_t violations_ = 0;
  std::map<std::string, std::string> found_;
  std::string excused_;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Changes scenarios in ways that must not make a job slower, or must not change it, and "
      "reports\n"
      "where they do, with the scenario before and after. tests/generated/exceptions.json\n"
      "lists the exceptions, each with its physical reason. Exit code 1: there are\n"
      "violations that are not.");
  app.add_option("--relation", options.relations, "these alone (default: all)");
  app.add_option("--scenario", options.scenarios, "these files alone (default: all that ship)");
  app.add_option("--generated", options.generated, "number of generated scenarios instead");
  app.add_option("--seed", options.seed, "of generated ones, or which of --every")
      ->capture_default_str();
  app.add_option("--every", options.every, "one in this number of layouts")->capture_default_str();
  app.add_option("--jobs", options.jobs, "processes at a time")->capture_default_str();
  app.add_option("--seconds", options.seconds, "of a processor that a layout may take with all")
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "share that is not a violation")
      ->capture_default_str();
  app.add_option("--exceptions", options.exceptions, "file of what is excused");
  app.add_option("--write", options.write, "folder for both scenarios of each violation");
  app.add_flag("--list", options.list, "the relations");
  CLI11_PARSE(app, argc, argv);
  const auto library = cli::load_library(VGSIM_SOURCE_DIR "/configs");
  if (!library) throw std::runtime_error(input::render(library.error()));
  Campaign campaign(options, *library);
  if (options.list) {
    campaign.list();
    return 0;
  }
  return campaign.all();
}

}  // namespace
}  // namespace vgsim::generated

int main(int argc, char** argv) { return vgsim::generated::run(argc, argv); }
