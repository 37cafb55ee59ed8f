#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/studio/service.hpp"

namespace vgsim::studio {

[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);
[[nodiscard]] Response json_response(const nlohmann::ordered_json& json, int status = 200);
/// An invalid request.
[[nodiscard]] Response error_response(int status, const std::string& what);
/// A valid request that cannot be fulfilled.
[[nodiscard]] Response cannot(const std::string& why);

/// The value of a query; empty if it is not there.
[[nodiscard]] std::string of(const std::map<std::string, std::string>& query, const char* key);
/// A text of a request's body; empty if it is not there.
[[nodiscard]] std::string member_text(const input::Value& body, const char* key);

}  // namespace vgsim::studio
