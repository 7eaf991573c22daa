import Neatline

print(abiVersion)
