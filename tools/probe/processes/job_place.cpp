#include "tools/probe/processes/job_place.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace vgsim::probe {
namespace {

/// Environment variables of a launcher.
struct Launcher {
  const char* rank;
  const char* ranks;
  const char* local_rank;
};

constexpr std::array kLaunchers{
    Launcher{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    Launcher{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

constexpr std::size_t kUsualPort = 29511;

std::size_t number(const Environment& environment, const char* name, std::size_t otherwise) {
  const char* text = environment(name);
  if (text == nullptr) return otherwise;
  std::size_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end) {
    throw std::invalid_argument(fmt::format("{}={} is not a number", name, text));
  }
  return value;
}

}  // namespace

std::optional<JobPlace> job_place(const Environment& environment) {
  for (const Launcher& launcher : kLaunchers) {
    if (environment(launcher.rank) == nullptr || environment(launcher.ranks) == nullptr) continue;
    JobPlace place;
    place.rank = number(environment, launcher.rank, 0);
    place.ranks = number(environment, launcher.ranks, 1);
    place.local_rank = number(environment, launcher.local_rank, 0);
    if (place.rank >= place.ranks) {
      throw std::invalid_argument(
          fmt::format("{}={} of {} ranks", launcher.rank, place.rank, place.ranks));
    }
    if (place.ranks == 1) return std::nullopt;
    const char* address = environment("MASTER_ADDR");
    place.leader_address = address != nullptr ? address : "127.0.0.1";
    const std::size_t port = number(environment, "MASTER_PORT", kUsualPort);
    if (port == 0 || port > 65535) {
      throw std::invalid_argument(fmt::format("MASTER_PORT={} is not a port", port));
    }
    place.leader_port = static_cast<std::uint16_t>(port);
    return place;
  }
  return std::nullopt;
}

}  // namespace vgsim::probe
