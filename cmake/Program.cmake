# The command line program: all floors, the Swift module over them and the Swift runtime in one file.
neat_system_library(CMicroHTTPD "libmicrohttpd;gnutls")

neat_floor(Neatline NeatABI)
neat_floor(NeatlineRemote)

neat_program(neatline-program NeatlineCLI)
target_compile_options(neatline-program PRIVATE -parse-as-library)
target_link_libraries(neatline-program PRIVATE Neatline NeatlineRemote CDeflate CMicroHTTPD)
set_target_properties(neatline-program PROPERTIES OUTPUT_NAME neatline RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin SKIP_BUILD_RPATH ON)
install(TARGETS neatline-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
