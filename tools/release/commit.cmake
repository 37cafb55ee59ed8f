# Writes OUTPUT, a source file with the commit of SOURCE, unless it is up to date.
# cmake -DSOURCE=folder -DOUTPUT=file.cpp -P commit.cmake
file(STRINGS ${SOURCE}/tools/release/commit.txt commit LIMIT_COUNT 1)  # written by git archive
if(commit MATCHES "^.Format:")
  set(commit "")
  if(EXISTS ${SOURCE}/.git)
    execute_process(
      COMMAND git -c safe.directory=${SOURCE} -C ${SOURCE} describe --always --dirty --exclude=*
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
set(text "#include \"tools/cli/commit.hpp\"\n\nconst char* vgsim::cli::commit() { return \"${commit}\"; }\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
