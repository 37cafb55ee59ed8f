#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vgsim::probe {

/// A TCP connection between two processes of a job, which carries whole messages.
class Connection {
 public:
  class Socket;

  explicit Connection(std::unique_ptr<Socket> socket);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  /// Both throw DeviceError where the other side is gone.
  void send(const std::string& message);
  [[nodiscard]] std::string receive();

 private:
  std::unique_ptr<Socket> socket_;
};

/// Connects to the leader, which may start later. Throws DeviceError where it does not answer
/// within `patience_s`.
[[nodiscard]] Connection connect_to(const std::string& address, std::uint16_t port,
                                    double patience_s);

/// Waits for so many connections. Throws DeviceError where they do not all come within
/// `patience_s`, or the port is taken.
[[nodiscard]] std::vector<Connection> accept_all(std::uint16_t port, std::size_t count,
                                                 double patience_s);

}  // namespace vgsim::probe
