"""Device pixels

The same 100 by 110 logical pixels at ratio 1, 2 and 4, each enlarged to the same size without smoothing.
Widths, text and icons keep their size on the paper and gain in detail.

Group: For machines

Data: Natural Earth (public domain)
"""
import neatline
from PIL import Image

with neatline.Renderer("Examples/demo/style.json") as renderer:
    pictures = [renderer.draw(center=(13.2, 46.6), zoom=4, size=(100, 110), ratio=ratio).to_pil()
                for ratio in (1, 2, 4)]
sheet = Image.new("RGB", (3 * 500 + 2 * 20, 550), "white")
for column, picture in enumerate(pictures):
    sheet.paste(picture.convert("RGB").resize((500, 550), Image.Resampling.NEAREST), (column * 520, 0))
sheet.save("out/ratio.png")
