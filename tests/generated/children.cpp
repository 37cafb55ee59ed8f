#include "tests/generated/children.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <deque>
#include <optional>
#include <system_error>
#include <vector>

namespace vgsim::generated {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kItemsOfAChild = 25;
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;  // which reserve far more addresses than they use
#else
constexpr bool kSanitized = false;
#endif

struct Chunk {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct Child {
  pid_t pid = -1;
  int from = -1;  ///< what it writes
  Chunk chunk;
  std::size_t at = 0;  ///< the item that it works on, or the end of its chunk
  std::string text;    ///< that it wrote and that is not read yet
};

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t more = write(to, text.data() + done, text.size() - done);
    if (more < 0 && errno != EINTR) _exit(1);
    if (more > 0) done += static_cast<std::size_t>(more);
  }
}

/// From now on, of this process.
void allow_cpu(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::trunc(seconds)) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);  // ends in SIGPROF, which kills
}

[[noreturn]] void work_on(const Chunk& chunk, int to, const ChildLimits& limits,
                          const std::function<Json(std::size_t)>& work) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (!kSanitized) {
    const rlimit memory{limits.memory, limits.memory};
    setrlimit(RLIMIT_AS, &memory);
  }
  for (std::size_t item = chunk.from; item < chunk.to; ++item) {
    allow_cpu(limits.cpu_seconds);
    const Json result = work(item);
    write_all(to, fmt::format("{}\n", result.dump(-1, ' ', true, Json::error_handler_t::replace)));
  }
  _exit(0);
}

Child start(const Chunk& chunk, const ChildLimits& limits,
            const std::function<Json(std::size_t)>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) {
    close(ends[0]);
    work_on(chunk, ends[1], limits, work);
  }
  close(ends[1]);
  return {pid, ends[0], chunk, chunk.from, ""};
}

std::string death_of(int status, const ChildLimits& limits) {
  if (WIFEXITED(status)) return fmt::format("exit with {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGPROF) return fmt::format("more than {} s of a processor", limits.cpu_seconds);
  return fmt::format("SIG{}", sigabbrev_np(signal));
}

void take_lines(Child& child, const std::function<void(const ItemResult&)>& done) {
  for (std::size_t end = child.text.find('\n'); end != std::string::npos;
       end = child.text.find('\n')) {
    done({child.at++, Json::parse(child.text.substr(0, end)), ""});
    child.text.erase(0, end + 1);
  }
}

/// Reads what there is; whether the child goes on.
bool goes_on(Child& child, const std::function<void(const ItemResult&)>& done) {
  char buffer[65536];
  const ssize_t count = read(child.from, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return true;
  if (count > 0) child.text.append(buffer, static_cast<std::size_t>(count));
  take_lines(child, done);
  return count > 0;
}

}  // namespace

void for_each_in_children(std::size_t count, std::size_t jobs, const ChildLimits& limits,
                          const std::function<Json(std::size_t)>& work,
                          const std::function<void(const ItemResult&)>& done) {
  std::deque<Chunk> chunks;
  for (std::size_t from = 0; from < count; from += kItemsOfAChild) {
    chunks.push_back({from, std::min(count, from + kItemsOfAChild)});
  }
  std::vector<Child> children;
  while (!chunks.empty() || !children.empty()) {
    while (!chunks.empty() && children.size() < std::max<std::size_t>(1, jobs)) {
      children.push_back(start(chunks.front(), limits, work));
      chunks.pop_front();
    }
    std::vector<pollfd> waits;
    for (const Child& child : children) waits.push_back({child.from, POLLIN, 0});
    poll(waits.data(), waits.size(), -1);
    for (std::size_t i = children.size(); i-- > 0;) {
      if (waits[i].revents == 0 || goes_on(children[i], done)) continue;
      const Child child = children[i];
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      close(child.from);
      int status = 0;
      while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
      }
      if (child.at == child.chunk.to) continue;
      done({child.at, nullptr, death_of(status, limits)});
      if (child.at + 1 < child.chunk.to) chunks.push_front({child.at + 1, child.chunk.to});
    }
  }
}

ItemResult in_a_child(const ChildLimits& limits, const std::function<Json()>& work) {
  ItemResult only;
  for_each_in_children(
      1, 1, limits, [&](std::size_t) { return work(); },
      [&](const ItemResult& result) { only = result; });
  return only;
}

}  // namespace vgsim::generated
