# Installs the manual page and the completions that `program` prints. Debian's zsh looks
# for those of packages in a separate folder. For a Debian package also the files that its policy requires,
# from the folder `debian`.
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
  vgsim_installed(${folder}/${name})
endfunction()

macro(vgsim_installed file)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${CMAKE_INSTALL_PREFIX}/${file})
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endmacro()

# As small as it gets, and without the time: equal builds make equal packages.
function(vgsim_compress file)
  execute_process(COMMAND gzip -9nf $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${file}
    COMMAND_ERROR_IS_FATAL ANY)
  list(REMOVE_ITEM CMAKE_INSTALL_MANIFEST_FILES ${CMAKE_INSTALL_PREFIX}/${file})
  vgsim_installed(${file}.gz)
endfunction()

vgsim_install_page(share/man/man1 vgsim.1 man)
vgsim_compress(share/man/man1/vgsim.1)
vgsim_install_page(share/bash-completion/completions vgsim completion bash)
vgsim_install_page(${zsh} _vgsim completion zsh)
vgsim_install_page(share/fish/vendor_completions.d vgsim.fish completion fish)

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  file(INSTALL ${debian}/changelog DESTINATION /usr/share/doc/vgsim)
  vgsim_compress(share/doc/vgsim/changelog)
  file(INSTALL ${debian}/lintian-overrides DESTINATION /usr/share/lintian/overrides RENAME vgsim)
endif()
