// Nothing: Sources/CInternational includes what it needs of ICU. This module is here for the names that pkg-config and the linker know it by.
