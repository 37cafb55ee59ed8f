#include "tests/fuzz/trials.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>

namespace vgsim::fuzz {
namespace {

/// Whether so many files are enough.
class Enough {
 public:
  bool operator()(std::size_t tried) const {
    constexpr std::size_t kCases = 10'000;
    return seconds_ == nullptr ? tried >= kCases : Clock::now() >= end_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const char* seconds_ = std::getenv("VGSIM_FUZZ_SECONDS");
  Clock::time_point end_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                         seconds_ == nullptr ? 0.0 : std::atof(seconds_)));
};

std::uint64_t seed() {
  const char* wanted = std::getenv("VGSIM_FUZZ_SEED");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 1;
}

/// Keeps the file that is being tried when something goes wrong.
class Watch {
 public:
  explicit Watch(const std::string& name) {
    file =
        (std::filesystem::temp_directory_path() / fmt::format("vgsim-fuzz-{}-{}", name, ::getpid()))
            .string();
    std::signal(SIGALRM, &on_trouble);
    std::signal(SIGABRT, &on_trouble);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    ::alarm(0);
    std::signal(SIGABRT, SIG_DFL);
  }

  const std::string& begin(std::string next) {
    text = std::move(next);
    ::alarm(600);
    return text;
  }

  static const std::string& keep() {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    static_cast<void>(::write(descriptor, text.data(), text.size()) < 0);
    ::close(descriptor);
    return file;
  }

 private:
  static void on_trouble(int) {
    keep();
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }

  // A signal handler has no arguments for this.
  static inline std::string text;
  static inline std::string file;
};

}  // namespace

void try_damaged(const std::string& name,
                 const std::function<std::string(std::mt19937_64&)>& damaged,
                 const std::function<void(const std::string&)>& attempt) {
  std::mt19937_64 random(seed());
  Watch watch(name);
  const Enough enough;
  for (std::size_t tried = 0; !enough(tried); ++tried) {
    try {
      attempt(watch.begin(damaged(random)));
    } catch (const std::exception& error) {
      ADD_FAILURE() << "thrown: " << error.what();
    }
    if (::testing::Test::HasFailure()) FAIL() << "the file is kept as " << Watch::keep();
  }
}

}  // namespace vgsim::fuzz
