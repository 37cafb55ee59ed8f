#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tools/studio/serve/service_thread.hpp"

namespace vgsim::studio {

/// Serves the page and the answers of a service on 127.0.0.1, only for requests with the token
/// of the address, and not for pages of other origins.
class Server {
 public:
  /// Listens on that port; 0: on a free one. Throws std::runtime_error on failure.
  Server(ServiceThread& service, std::uint16_t port, std::string token);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string address() const;  ///< "http://127.0.0.1:43211/TOKEN/"

  /// Serves until a signal (SIGINT, SIGTERM, SIGHUP) or stop(); returns the signal, or 0.
  int run();
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace vgsim::studio
