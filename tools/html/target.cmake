# The target `html` of a native build: vgsim.html, the studio as one file for browsers, by a second build
# with Emscripten in build-html.

find_program(VGSIM_EMCMAKE emcmake)
mark_as_advanced(VGSIM_EMCMAKE)
set(html_build ${CMAKE_SOURCE_DIR}/build-html)
set(html_file ${CMAKE_BINARY_DIR}/share/vgsim/vgsim.html)
if(VGSIM_EMCMAKE)
  add_custom_target(html
    COMMAND ${VGSIM_EMCMAKE} ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${html_build} -G Ninja
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DVGSIM_BUILD_TESTS=OFF
      -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12
      -DVGSIM_CHECKED_MARKS=${checked_marks} -DVGSIM_HTML=${html_file}
    COMMAND ${CMAKE_COMMAND} --build ${html_build} --target page
    DEPENDS ${checked_marks} USES_TERMINAL VERBATIM)
else()
  add_custom_target(html
    COMMAND ${CMAKE_COMMAND} -E echo "vgsim.html needs Emscripten: apt-get install emscripten, then cmake again"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
install(FILES ${html_file} DESTINATION share/vgsim OPTIONAL)
