#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tools/studio/service.hpp"

namespace vgsim::studio {

/// Serves the page and the answers of a service on this machine alone: on 127.0.0.1, to whoever
/// knows the token that the address holds, and to no page of another origin.
class Server {
 public:
  /// Listens on that port, or on a free one where it is 0. Throws std::runtime_error where it
  /// cannot.
  Server(Service& service, std::uint16_t port, std::string token);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string address() const;  ///< "http://127.0.0.1:43211/TOKEN/"

  /// Serves until a signal ends it (SIGINT, SIGTERM, SIGHUP), or stop(); returns the signal, or 0.
  int run();
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

/// 128 random bits in hexadecimal digits.
[[nodiscard]] std::string random_token();

}  // namespace vgsim::studio
