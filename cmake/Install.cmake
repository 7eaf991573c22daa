# What a user gets: header, library, pkg-config file, CMake package.

list(JOIN NEATLINE_PKG_CONFIG_NAMES " " NEATLINE_PC_REQUIRES)
# What a static link needs, as flags: Requires.private would make pkg-config ask for the development files of every library even for a dynamic one.
set(NEATLINE_PC_LIBS "")
foreach(library IN LISTS NEATLINE_SYSTEM_LIBRARIES)
  list(APPEND NEATLINE_PC_LIBS ${${library}_LDFLAGS})
endforeach()
list(REMOVE_DUPLICATES NEATLINE_PC_LIBS)
list(JOIN NEATLINE_PC_LIBS " " NEATLINE_PC_LIBS)
# From the folder of neatline.pc up to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH NEATLINE_PC_UP /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" NEATLINE_PC_UP ${NEATLINE_PC_UP})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Neatline)

install(FILES include/neatline.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS neatline EXPORT NeatlineTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT NeatlineTargets NAMESPACE Neatline:: DESTINATION ${package_dir})
export(EXPORT NeatlineTargets NAMESPACE Neatline:: FILE ${PROJECT_BINARY_DIR}/NeatlineTargets.cmake)
if(NEATLINE_STATIC)
  install(FILES ${NEATLINE_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

configure_package_config_file(cmake/NeatlineConfig.cmake.in ${PROJECT_BINARY_DIR}/NeatlineConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/NeatlineConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/NeatlineConfig.cmake ${PROJECT_BINARY_DIR}/NeatlineConfigVersion.cmake DESTINATION ${package_dir})

configure_file(cmake/neatline.pc.in ${PROJECT_BINARY_DIR}/neatline.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/neatline.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
