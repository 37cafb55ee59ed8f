#include "tools/studio/serve/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <list>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tools/report/style.hpp"
#include "tools/studio/admission.hpp"
#include "tools/studio/assets.hpp"

namespace vgsim::studio {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;
using Message = http::request<http::string_body>;

constexpr std::uint32_t kMostHeaderBytes = 16 << 10;
constexpr std::uint64_t kMostBodyBytes = 48 << 20;  // dumps of a whole vCenter, in base64
constexpr std::size_t kMostConnections = 256;
constexpr std::chrono::seconds kPatience{30};     // for a connection that sends or reads nothing
constexpr std::chrono::seconds kLastPatience{2};  // for a refused one
constexpr std::chrono::milliseconds kPause{50};   // when no more connections can be accepted

/// Only the page's own files are loaded, and no other page may embed it.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view view(boost::string_view text) { return {text.data(), text.size()}; }

std::map<std::string, std::string> query_of(std::string_view target) {
  std::map<std::string, std::string> query;
  const std::size_t begin = target.find('?');
  if (begin == target.npos) return query;
  std::string_view rest = target.substr(begin + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    query[decoded(pair.substr(0, equals))] =
        decoded(pair.substr(std::min(equals + 1, pair.size())));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return query;
}

/// A file of the page; "report.css" is the report's own style.
std::optional<Response> page_file(std::string_view path) {
  if (path == "report.css") {
    return Response{200, "text/css; charset=utf-8", std::string(report::style()), {}};
  }
  const std::string_view name = path.empty() ? std::string_view("index.html") : path;
  for (const Asset& asset : assets()) {
    if (asset.name == name) {
      return Response{200, std::string(asset.type), std::string(asset.text), {}};
    }
  }
  return std::nullopt;
}

RequestHead head_of(const Message& request) {
  return {view(request.method_string()),    view(request.target()),
          view(request[http::field::host]), view(request[http::field::origin]),
          view(request["Sec-Fetch-Site"]),  view(request[http::field::content_type])};
}

std::string file_name(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '-' || c == '_';
    safe += plain ? c : '-';
  }
  return safe;
}

http::response<http::string_body> message_of(Response response, unsigned version, bool stays) {
  http::response<http::string_body> message;
  message.version(version);
  message.result(static_cast<unsigned>(response.status));
  message.set(http::field::content_type, response.type);
  message.set(http::field::cache_control, "no-store");
  message.set("Content-Security-Policy", kPolicy);
  message.set("Cross-Origin-Opener-Policy", "same-origin");
  message.set("Cross-Origin-Resource-Policy", "same-origin");
  message.set("Referrer-Policy", "no-referrer");
  message.set("X-Content-Type-Options", "nosniff");
  message.set("X-Frame-Options", "DENY");
  if (!response.download.empty()) {
    message.set(http::field::content_disposition,
                fmt::format("attachment; filename=\"{}\"", file_name(response.download)));
  }
  message.keep_alive(stays);
  message.body() = std::move(response.body);
  message.prepare_payload();
  return message;
}

class Connection;

/// Shared by all connections; used only on the server's thread.
struct ServerState {
  ServiceThread& service;
  std::string token;
  std::size_t connections = 0;
  std::list<Connection*> idle;  ///< without a request so far, longest first
};

/// One connection with successive requests.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, ServerState& state) : stream_(std::move(socket)), state_(state) {
    ++state_.connections;
  }
  ~Connection() {
    end_idleness();
    --state_.connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(kMostBodyBytes);
    stream_.expires_after(kPatience);
    begin_idleness();
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              self->end_idleness();
                              self->have_header(error);
                            });
  }

  /// Closes an idle connection for a new one.
  void leave() {
    end_idleness();
    stream_.close();
  }

 private:
  void begin_idleness() { place_ = state_.idle.insert(state_.idle.end(), this); }
  void end_idleness() {
    if (place_) state_.idle.erase(*place_);
    place_.reset();
  }

  /// Refuses a request by its head, before its body is read.
  void have_header(error_code error) {
    if (error) return refuse_unreadable(error);
    const int status = refusal(head_of(parser_->get()), state_.token);
    if (status != 0) return refuse(status);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code failed, std::size_t) {
                       if (failed) return self->refuse_unreadable(failed);
                       self->respond();
                     });
  }

  void refuse_unreadable(error_code error) {
    if (error == http::error::body_limit) return refuse(413);
    if (error == http::error::header_limit) return refuse(431);
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      return refuse(400);
    }
    close();
  }

  void refuse(int status) {
    write({status, "text/plain; charset=utf-8", fmt::format("{}\n", status), {}}, false);
  }

  void respond() {
    const Message& message = parser_->get();
    const std::string_view target = view(message.target());
    Request request{std::string(view(message.method_string())), std::string(path_in(target)),
                    query_of(target), message.body()};
    if (request.method == "GET") {
      if (auto file = page_file(request.path)) return write(std::move(*file), stays());
    }
    stream_.expires_never();  // as long as the answer takes
    // The reply holds the connection; it is posted back so that the connection ends on the
    // server's thread.
    state_.service.ask(std::move(request), [self = shared_from_this()](Response response) mutable {
      const auto executor = self->stream_.get_executor();
      boost::asio::post(executor,
                        [self = std::move(self), response = std::move(response)]() mutable {
                          self->write(std::move(response), self->stays());
                        });
    });
  }

  [[nodiscard]] bool stays() const { return parser_->get().keep_alive(); }

  void write(Response response, bool stays) {
    const unsigned version = parser_->is_header_done() ? parser_->get().version() : 11U;
    message_ = message_of(std::move(response), version, stays);
    stream_.expires_after(kPatience);
    http::async_write(stream_, message_,
                      [self = shared_from_this(), stays](error_code error, std::size_t) {
                        if (error || !stays) return self->close();
                        self->read();
                      });
  }

  /// Reads the rest of the request for a while: closing earlier could reset the connection
  /// and lose the response.
  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kLastPatience);
    drain(0);
  }

  void drain(std::size_t so_far) {
    if (so_far > 2 * kMostBodyBytes) return;
    stream_.async_read_some(boost::asio::buffer(scrap_), [self = shared_from_this(), so_far](
                                                             error_code error, std::size_t more) {
      if (!error) self->drain(so_far + more);
    });
  }

  beast::tcp_stream stream_;
  ServerState& state_;
  std::optional<std::list<Connection*>::iterator> place_;  ///< in the list of idle ones
  std::array<char, 4096> scrap_{};
  beast::flat_buffer buffer_{kMostHeaderBytes + kMostBodyBytes};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> message_;
};

}  // namespace

class Server::Listener {
 public:
  Listener(ServiceThread& service, std::uint16_t port, std::string token)
      : state_{service, std::move(token), 0, {}},
        acceptor_(context_),
        signals_(context_),
        pause_(context_) {
    const tcp::endpoint here(boost::asio::ip::address_v4::loopback(), port);
    error_code error;
    acceptor_.open(here.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(here, error);
    if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
    if (error) {
      throw std::runtime_error(fmt::format("127.0.0.1:{}: {}", port, error.message()));
    }
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] const std::string& token() const { return state_.token; }

  int run() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) signals_.add(signal);
    int by = 0;
    signals_.async_wait([this, &by](error_code error, int signal) {
      if (error) return;
      by = signal;
      context_.stop();
    });
    accept();
    context_.run();
    return by;
  }

  void stop() { context_.stop(); }

 private:
  /// Closes the longest idle connection if all are taken.
  bool has_room() {
    if (state_.connections < kMostConnections) return true;
    if (state_.idle.empty()) return false;
    state_.idle.front()->leave();
    return true;
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      // No descriptors are left: pause, then accept again.
      if (error) {
        pause_.expires_after(kPause);
        return pause_.async_wait([this](error_code) { accept(); });
      }
      if (has_room()) {
        error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Connection>(std::move(socket), state_)->read();
      }
      accept();
    });
  }

  ServerState state_;
  boost::asio::io_context context_{1};
  tcp::acceptor acceptor_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer pause_;
};

Server::Server(ServiceThread& service, std::uint16_t port, std::string token)
    : listener_(std::make_unique<Listener>(service, port, std::move(token))) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return listener_->port(); }

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), listener_->token());
}

int Server::run() { return listener_->run(); }

void Server::stop() { listener_->stop(); }

}  // namespace vgsim::studio
