"""The world

The style of the demo as it is: eight layers over four GeoJSON files, labels from the fonts of the machine.

Group: Worlds

Data: Natural Earth (public domain)
"""
import neatline

neatline.render("Examples/demo/style.json", zoom=1, size=(800, 520), ratio=2).save("out/world.png")
