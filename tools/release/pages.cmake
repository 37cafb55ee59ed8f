# Installs what `program` writes of itself: the manual page and the completions. Debian's zsh looks
# for those of packages in a folder of its own.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh share/zsh/vendor-completions)
else()
  set(zsh share/zsh/site-functions)
endif()

function(vgsim_install_page folder name)
  set(file $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder}/${name})
  message(STATUS "Installing: ${file}")
  file(MAKE_DIRECTORY $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder})
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${CMAKE_INSTALL_PREFIX}/${folder}/${name})
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

vgsim_install_page(share/man/man1 vgsim.1 man)
vgsim_install_page(share/bash-completion/completions vgsim completion bash)
vgsim_install_page(${zsh} _vgsim completion zsh)
vgsim_install_page(share/fish/vendor_completions.d vgsim.fish completion fish)
