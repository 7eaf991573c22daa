# The command line program: all floors, the Swift module over them and the Swift runtime in one file.
neat_system_library(CMicroHTTPD "libmicrohttpd;gnutls")

neat_floor(Neatline NeatABIStatic)
neat_floor(NeatlineRemote)

neat_sources(program_sources NeatlineCLI)
add_executable(neatline-program ${program_sources})
neat_swift_options(neatline-program NeatlineCLI)
target_link_libraries(neatline-program PRIVATE Neatline NeatlineRemote CDeflate CMicroHTTPD)
target_link_options(neatline-program PRIVATE
  -static-stdlib "SHELL:-Xlinker --gc-sections" "SHELL:-Xlinker --as-needed" $<$<CONFIG:Release,MinSizeRel>:SHELL:-Xlinker -s>)
set_target_properties(neatline-program PROPERTIES OUTPUT_NAME neatline RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin SKIP_BUILD_RPATH ON)
install(TARGETS neatline-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
