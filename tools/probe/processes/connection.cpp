#include "tools/probe/processes/connection.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMostBytes = 1 << 20;  // of a message
constexpr std::size_t kLengthDigits = 8;     // a message starts with its length

std::chrono::steady_clock::duration seconds(double amount) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(amount));
}

}  // namespace

class Connection::Socket {
 public:
  explicit Socket(std::shared_ptr<boost::asio::io_context> context)
      : context_(std::move(context)), socket_(*context_) {}

  tcp::socket& operator*() { return socket_; }

 private:
  std::shared_ptr<boost::asio::io_context> context_;  // outlives its socket
  tcp::socket socket_;
};

Connection::Connection(std::unique_ptr<Socket> socket) : socket_(std::move(socket)) {
  error_code ignored;
  (**socket_).set_option(tcp::no_delay(true), ignored);
}

Connection::Connection(Connection&& other) noexcept = default;
Connection& Connection::operator=(Connection&& other) noexcept = default;
Connection::~Connection() = default;

/// Messages are texts preceded by their length. All waits have a limit, so that a dead rank
/// does not block the others.
void Connection::send(const std::string& message) {
  const std::string framed = fmt::format("{:0{}}{}", message.size(), kLengthDigits, message);
  error_code error;
  boost::asio::write(**socket_, boost::asio::buffer(framed), error);
  if (error) throw DeviceError("another process of the job is gone: " + error.message());
}

std::string Connection::receive() {
  std::array<char, kLengthDigits> digits{};
  error_code error;
  boost::asio::read(**socket_, boost::asio::buffer(digits), error);
  std::size_t length = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') error = boost::asio::error::invalid_argument;
    length = 10 * length + static_cast<std::size_t>(digit - '0');
  }
  if (length > kMostBytes) error = boost::asio::error::message_size;
  std::string message;
  if (!error) {
    message.resize(length);
    boost::asio::read(**socket_, boost::asio::buffer(message), error);
  }
  if (error) throw DeviceError("another process of the job is gone: " + error.message());
  return message;
}

Connection connect_to(const std::string& address, std::uint16_t port, double patience_s) {
  const auto context = std::make_shared<boost::asio::io_context>();
  const auto give_up = std::chrono::steady_clock::now() + seconds(patience_s);
  while (true) {
    auto socket = std::make_unique<Connection::Socket>(context);
    error_code error;
    const auto ends = tcp::resolver(*context).resolve(address, std::to_string(port), error);
    if (!error) boost::asio::connect(**socket, ends, error);
    if (!error) return Connection(std::move(socket));
    if (std::chrono::steady_clock::now() >= give_up) {
      throw DeviceError(fmt::format("rank 0 of the job does not answer at {}:{}: {}", address, port,
                                    error.message()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

struct Listener::Acceptor {
  std::shared_ptr<boost::asio::io_context> context = std::make_shared<boost::asio::io_context>();
  tcp::acceptor socket{*context};
};

Listener::Listener(std::uint16_t port) : acceptor_(std::make_unique<Acceptor>()) {
  tcp::acceptor& socket = acceptor_->socket;
  error_code error;
  socket.open(tcp::v4(), error);
  if (!error) socket.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) socket.bind(tcp::endpoint(tcp::v4(), port), error);
  if (!error) socket.listen(tcp::acceptor::max_listen_connections, error);
  if (error) {
    throw DeviceError(fmt::format("cannot wait at port {}: {}", port, error.message()));
  }
}

Listener::~Listener() = default;

std::uint16_t Listener::port() const { return acceptor_->socket.local_endpoint().port(); }

std::vector<Connection> Listener::accept_all(std::size_t count, double patience_s) {
  const std::shared_ptr<boost::asio::io_context>& context = acceptor_->context;
  const auto give_up = std::chrono::steady_clock::now() + seconds(patience_s);
  std::vector<Connection> connections;
  while (connections.size() < count) {
    auto socket = std::make_unique<Connection::Socket>(context);
    bool accepted = false;
    acceptor_->socket.async_accept(**socket, [&](const error_code& failed) { accepted = !failed; });
    context->restart();
    context->run_until(give_up);
    if (!accepted) {
      error_code ignored;
      acceptor_->socket.cancel(ignored);
      context->restart();
      context->poll();
      throw DeviceError(fmt::format("{} of {} other processes of the job came within {:.0f} s",
                                    connections.size(), count, patience_s));
    }
    connections.emplace_back(std::move(socket));
  }
  return connections;
}

}  // namespace vgsim::probe
