"""The world, as the demo has it

A style of eight layers over four GeoJSON files.

Group: Worlds

Data: Natural Earth (public domain)
"""
import neatline

neatline.render("Examples/demo/style.json", zoom=1, size=(800, 520), ratio=2).save("out/world.png")
