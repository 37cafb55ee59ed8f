#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vgsim::probe {

/// A TCP connection between two processes of a job that transfers whole messages.
class Connection {
 public:
  class Socket;

  explicit Connection(std::unique_ptr<Socket> socket);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  /// Both throw DeviceError if the other side is gone.
  void send(const std::string& message);
  [[nodiscard]] std::string receive();

 private:
  std::unique_ptr<Socket> socket_;
};

/// Connects to the leader, which may start later. Throws DeviceError if it does not answer
/// within `patience_s`.
[[nodiscard]] Connection connect_to(const std::string& address, std::uint16_t port,
                                    double patience_s);

/// Accepts the connections of a job's ranks at its leader; listens from its construction on.
class Listener {
 public:
  /// At that port; at a free one for 0. Throws DeviceError if it is in use.
  explicit Listener(std::uint16_t port);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] std::uint16_t port() const;

  /// Waits for that many connections. Throws DeviceError if they are not complete within
  /// `patience_s`.
  [[nodiscard]] std::vector<Connection> accept_all(std::size_t count, double patience_s);

 private:
  struct Acceptor;
  std::unique_ptr<Acceptor> acceptor_;
};

}  // namespace vgsim::probe
