#include "tools/cli/commands/sweep_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include "models/questions/sweep/point.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/cli/version.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/sweep/estimate.hpp"
#include "tools/sweep/export.hpp"
#include "tools/sweep/in_order.hpp"
#include "tools/sweep/merge.hpp"
#include "tools/sweep/messages.hpp"
#include "tools/sweep/question.hpp"
#include "tools/sweep/stop_signals.hpp"
#include "tools/sweep/store.hpp"
#include "tools/sweep/store_error.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kSweepFooter = R"(
Examples:
  vgsim sweep configs/scenarios/sweeps/nic-rate-and-batch.json -o runs/
  vgsim sweep my-sweep.json -o mine/ --export mine/all.csv
  vgsim sweep my-sweep.json -o mine/ --resume)";

/// Fails before hours of simulating if stdout is closed.
void check_stdout() {
  if (::fcntl(STDOUT_FILENO, F_GETFD) >= 0) return;
  throw OutputError(fmt::format("cannot write the result: {}", std::strerror(errno)));
}

tl::expected<sweep::Shard, std::string> shard_of(const SweepOptions& options) {
  if (!options.shard) return sweep::Shard{};
  return sweep::read_shard(*options.shard, [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
}

/// `given_up` is polled while a point runs.
scenario::RunSettings settings_of_points(std::function<bool()> given_up) {
  scenario::RunSettings settings;
  settings.next_limit = false;
  settings.note_inputs = false;
  settings.memory_limit = machine::machine_memory();
  settings.limits.deadline_passed = std::move(given_up);
  return settings;
}

/// Runs a sweep with its options.
class SweepTask {
 public:
  SweepTask(const SweepOptions& options, sweep::Question question, const sweep::Shard& shard)
      : options_(options),
        question_(std::move(question)),
        header_{version(),
                question_.sweep.name,
                question_.digest,
                sweep::digest_of_configs(config_dir()),
                question_.sweep.points,
                question_.sweep.pointers(),
                shard},
        all_(shard.size(question_.sweep.points)),
        jobs_(options.jobs > 0 ? options.jobs : sweep::usable_cpus()),
        file_((std::filesystem::path(*options.out) / sweep::file_name(shard)).string()) {
    for (const std::string& file : options.exports) sweep::check_export(file, file_);
  }

  int run(const scenario::Library& library) {
    sweep::Store store(*options_.out, header_,
                       options_.resume ? sweep::IfThere::kResume : sweep::IfThere::kRefuse);
    if (store.found().points > 0) {
      note(fmt::format("resuming: {} results verified{}, {} to run\n", store.points(),
                       store.found().torn_bytes > 0 ? ", 1 torn line dropped" : "",
                       all_ - store.points()));
    }
    if (!store.complete()) {
      const int stopped_by = fill(store, library);
      if (stopped_by != 0) return 128 + stopped_by;
    }
    return too_long_ ? kBadInput : show_and_export();
  }

  int merge() {
    const sweep::Merged merged = sweep::merge_shards(*options_.out, header_);
    if (!merged.missing.empty()) {
      write_message(sweep::missing_text(merged.missing, header_));
      return kExpectationFailed;
    }
    if (merged.shards > 0) note(fmt::format("merged {} shards\n", merged.shards));
    return show_and_export();
  }

  /// Works on an incomplete store as well.
  int show_and_export() {
    sweep::Summary summary;
    const auto content = sweep::read_store(file_, header_, [&summary](std::string_view line) {
      summary.add(sweep::read_point(line));
    });
    for (const std::string& file : options_.exports) sweep::export_store(file_, header_, file);
    const auto& metrics = question_.sweep.metrics;
    const text::TerminalSize terminal = text::terminal_size(std::nullopt);
    const std::string screen =
        sweep::result_screen(summary, header_, content, file_, metrics, terminal);
    write_result(options_.format == Format::kJson
                     ? sweep::result_json(summary, header_, content, file_)
                 : options_.full
                     ? screen + "\n" + sweep::result_text(summary, header_, content, file_, metrics)
                     : screen,
                 std::nullopt);
    return summary.bugs > 0 ? kInternalError : kDone;
  }

 private:
  void note(const std::string& text) const {
    if (!options_.quiet) write_message(text);
  }

  /// Runs the missing points. Returns the signal that ended it early, or 0.
  int fill(sweep::Store& store, const scenario::Library& library) {
    try {
      simulate(store, library);
    } catch (...) {
      write_resume_command(store.points());
      throw;
    }
    if (store.points() == all_) {
      store.finish();
      return 0;
    }
    store.sync();
    write_resume_command(store.points());
    return sweep::stop_signal();
  }

  /// After the first points estimates the time of the others, and whether it needs --yes.
  void estimate(const sweep::Estimate& first) {
    const std::string text = sweep::estimate_text(first);
    too_long_ = first.is_long() && !options_.yes;
    if (too_long_) {
      write_message(fmt::format("vgsim: {}: --yes runs them\n", text));
    } else if (!text.empty()) {
      note(text + "\n");
    }
  }

  void simulate(sweep::Store& store, const scenario::Library& library) {
    std::atomic<bool> cannot_write = false;
    const auto ends_early = [&] { return sweep::is_stop_asked() || too_long_; };
    const scenario::RunSettings settings =
        settings_of_points([&] { return ends_early() || cannot_write; });
    const std::uint64_t before = store.points();
    std::uint64_t failed = 0;
    const auto base = scenario::prepare_base(question_.base, library, question_.load, settings);
    std::optional<ProgressLine> line;
    if (!options_.quiet) line.emplace();
    const std::uint64_t first = sweep::first_points(jobs_, all_ - before);
    const std::uint64_t draws = question_.sweep.interval_draws;
    const auto run = [&](std::uint64_t index) {
      return scenario::run_point(question_.sweep, question_.base, index, library, question_.load,
                                 settings, base ? &*base : nullptr, draws);
    };
    const scenario::PointResult reference = draws > 0 ? run(0) : scenario::PointResult{};
    const auto begin = std::chrono::steady_clock::now();
    const auto work = [&](std::uint64_t k) {
      const std::uint64_t index = header_.shard.index(k);
      scenario::PointResult point = run(index);
      scenario::add_differences(reference, point);
      return sweep::WorkResult{sweep::point_line(index, point), point.failure.has_value()};
    };
    const auto take = [&](const sweep::WorkResult& result) {
      try {
        store.add(result.line);
      } catch (...) {
        cannot_write = true;
        throw;
      }
      failed += result.failed ? 1U : 0U;
      if (store.points() - before == first) {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        estimate({first, taken.count(), all_ - store.points()});
      }
      if (!line) return;
      line->show([&](double seconds) {
        return sweep::progress_text({store.points(), all_, store.points() - before, failed},
                                    seconds);
      });
    };
    sweep::run_in_order(before, all_, jobs_, work, take, ends_early);
  }

  void write_resume_command(std::uint64_t points) const {
    std::string command = fmt::format("vgsim sweep {} -o {}", options_.spec, *options_.out);
    if (options_.shard) command += fmt::format(" --shard {}", *options_.shard);
    for (const std::string& set : options_.sets) command += fmt::format(" --set '{}'", set);
    command += too_long_ || options_.yes ? " --resume --yes" : " --resume";
    write_message(sweep::kept_text(points, all_, command));
  }

  const SweepOptions& options_;
  sweep::Question question_;
  sweep::StoreHeader header_;
  std::uint64_t all_;                   ///< points of the store
  std::atomic<bool> too_long_ = false;  ///< the others take too long without --yes
  std::size_t jobs_;
  std::string file_;
};

/// Shows the points, and estimates their time from one of them.
int show_plan(const SweepOptions& options, const sweep::Question& question,
              const sweep::Shard& shard, const scenario::Library& library) {
  using Clock = std::chrono::steady_clock;
  write_result(options.format == Format::kJson ? sweep::plan_json(question.sweep, shard)
                                               : sweep::plan_text(question.sweep, shard),
               std::nullopt);
  if (options.quiet) return kDone;
  const Clock::time_point begin = Clock::now();
  const auto point = scenario::run_point(question.sweep, question.base, shard.index(0), library,
                                         question.load, settings_of_points(&sweep::is_stop_asked),
                                         nullptr, question.sweep.interval_draws);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (point.failure || sweep::is_stop_asked()) return kDone;
  const std::size_t jobs = options.jobs > 0 ? options.jobs : sweep::usable_cpus();
  const auto points = static_cast<double>(shard.size(question.sweep.points));
  write_message(fmt::format("point {} took {:.3g} s: about {} for all on {} threads\n",
                            shard.index(0), seconds,
                            sweep::rough_time(seconds * points / static_cast<double>(jobs)), jobs));
  return kDone;
}

int usage(const std::string& message) {
  write_message(fmt::format("vgsim: {}\nSee vgsim sweep --help.\n", message));
  return kBadInput;
}

int with_question(const SweepOptions& options, sweep::Question question,
                  const sweep::Shard& shard) {
  const auto needs_no_library = options.merge || options.partial;
  tl::expected<scenario::Library, input::Diagnostics> library;
  if (!needs_no_library) library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const sweep::StopSignals signals;
  if (options.plan) return show_plan(options, question, shard, *library);
  const std::uint64_t all_points = question.sweep.points;
  SweepTask task(options, std::move(question), shard);
  if (options.merge) return task.merge();
  constexpr std::uint64_t kMostUnasked = 1'000'000;
  const std::uint64_t points = shard.size(all_points);
  if (!options.partial && !options.yes && points > kMostUnasked) {
    return usage(fmt::format(
        "{} points: a sweep of more than {} needs --yes; --plan estimates how long it takes",
        points, kMostUnasked));
  }
  return options.partial ? task.show_and_export() : task.run(*library);
}

}  // namespace

CLI::App* add_sweep_command(CLI::App& app, SweepOptions& options) {
  CLI::App* command =
      app.add_subcommand("sweep", "run many variants of a scenario: grids, lists, random draws");
  command->add_option("sweep", options.spec, "what to vary (JSON)")
      ->required()
      ->type_name("SWEEP.json");
  add_out_option(*command, options.out, "folder for the results; created if missing",
                 Destination::kFolder);
  command->add_option("--jobs", options.jobs, "threads (default: one for each CPU)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{4096}))
      ->type_name("N");
  add_set_option(*command, options.sets);
  CLI::Option* resume =
      command->add_flag("--resume", options.resume, "continue with the stored results");
  CLI::Option* shard =
      command
          ->add_option("--shard", options.shard,
                       "run one shard only, such as 3/8; auto/8: the one that a Slurm array, a "
                       "Kubernetes indexed job or GNU parallel assigns to this process")
          ->type_name("I/N");
  CLI::Option* merge =
      command->add_flag("--merge", options.merge, "merge all shards in the folder into one store")
          ->excludes(shard)
          ->excludes(resume);
  CLI::Option* plan =
      command->add_flag("--plan", options.plan, "only show what would run")->excludes(merge);
  command
      ->add_option(
          "--export", options.exports,
          "also write the results to this file: .csv, .xlsx, .jsonl or .sqlite; may be repeated")
      ->type_name("FILE")
      ->check(writable(Destination::kFile))
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->excludes(plan);
  command->add_flag("--partial", options.partial, "run nothing: show and export the stored results")
      ->excludes(plan)
      ->excludes(merge)
      ->excludes(resume);
  command->add_flag("--yes", options.yes, "allow more than a million points, or more than an hour");
  add_quiet_option(*command, options.quiet);
  add_format_option(*command, options.format);
  command->footer(kSweepFooter);
  add_full_option(*command, options.full);
  return command;
}

int sweep_command(const SweepOptions& options) {
  check_stdout();
  if (!options.plan && !options.out) return usage("sweep needs a folder for its results: -o DIR");
  const auto shard = shard_of(options);
  if (!shard) return usage(fmt::format("--shard: {}", shard.error()));
  if (!options.exports.empty() && !shard->whole() && !options.partial) {
    return usage("a shard is exported with --partial, the whole sweep after --merge");
  }
  try {
    auto question = sweep::read_question(options.spec, options.sets);
    if (!question) return report_errors(question.error());
    return with_question(options, std::move(*question), *shard);
  } catch (const files::FileError& error) {
    throw OutputError(error.what());
  }
}

}  // namespace vgsim::cli
