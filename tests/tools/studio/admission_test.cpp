#include "tools/studio/admission.hpp"

#include <gtest/gtest.h>

namespace vgsim::studio {
namespace admission_test {

constexpr const char* kToken = "0123456789abcdef";

RequestHead head(const char* target) { return {"GET", target, "127.0.0.1:8080", "", "", ""}; }

TEST(StudioAdmission, AcceptsRequestsWithTheToken) {
  EXPECT_EQ(refusal(head("/0123456789abcdef/state"), kToken), 0);
  EXPECT_EQ(refusal(head("/0123456789abcdef/"), kToken), 0);
  for (const char* target : {"/", "", "/0123456789abcdee/state", "/0123456789abcdef", "//state",
                             "/0123456789abcdef0/state", "/0123456789ABCDEF/state"}) {
    EXPECT_EQ(refusal(head(target), kToken), 403) << target;
  }
}

TEST(StudioAdmission, AcceptsTwoNamesOfThisMachine) {
  RequestHead own = head("/0123456789abcdef/");
  for (const char* host : {"127.0.0.1", "localhost:8080", "127.0.0.1:1"}) {
    own.host = host;
    EXPECT_EQ(refusal(own, kToken), 0) << host;
  }
  for (const char* host : {"", "evil.example", "127.0.0.1.evil.example", "localhost:80@evil",
                           "127.0.0.1:8080:1", "10.0.0.7:8080", "localhost.:80"}) {
    own.host = host;
    EXPECT_EQ(refusal(own, kToken), 403) << host;
  }
}

TEST(StudioAdmission, AnswersNoPageOfAnotherOrigin) {
  RequestHead own = head("/0123456789abcdef/");
  own.origin = "http://127.0.0.1:8080";
  EXPECT_EQ(refusal(own, kToken), 0);
  for (const char* origin : {"null", "https://127.0.0.1:8080", "http://127.0.0.1:9090",
                             "http://localhost:8080", "http://evil.example"}) {
    own.origin = origin;
    EXPECT_EQ(refusal(own, kToken), 403) << origin;
  }
  own.origin = "";
  own.fetch_site = "same-site";
  EXPECT_EQ(refusal(own, kToken), 403);
}

TEST(StudioAdmission, TakesJsonAlone) {
  RequestHead own = head("/0123456789abcdef/change");
  own.method = "POST";
  EXPECT_EQ(refusal(own, kToken), 415);
  for (const char* type :
       {"text/plain", "application/jsonp", "application/x-www-form-urlencoded"}) {
    own.content_type = type;
    EXPECT_EQ(refusal(own, kToken), 415) << type;
  }
  own.content_type = "application/json; charset=utf-8";
  EXPECT_EQ(refusal(own, kToken), 0);
  own.method = "PUT";
  EXPECT_EQ(refusal(own, kToken), 405);
}

TEST(StudioAdmission, ReadsTargets) {
  EXPECT_EQ(path_in("/token/state?after=3"), "state");
  EXPECT_EQ(path_in("/token/"), "");
  EXPECT_EQ(path_in("/token"), "");
  EXPECT_EQ(path_in("/token/a/b"), "a/b");
  EXPECT_EQ(decoded("esx01%2fgpu0+x%"), "esx01/gpu0 x%");
  EXPECT_EQ(decoded("%zz%4"), "%zz%4");
}

}  // namespace admission_test
}  // namespace vgsim::studio
