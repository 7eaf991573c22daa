"""Formats and their sizes

One picture as PNG, JPEG and WebP, enlarged eight times around a label, with the bytes that each takes. PNG
and lossless WebP keep every pixel.

Group: For machines

Data: Natural Earth (public domain)
"""
import io

import neatline
from PIL import Image, ImageDraw, ImageFont

picture = neatline.render("Examples/demo/style.json", center=(12, 45), zoom=3.4, size=(640, 480))
FILES = [
    ("PNG, fast", picture.png()), ("PNG, small", picture.png(small=True)),
    ("WebP, lossless", picture.encode("webp", quality=100)), ("WebP 80", picture.encode("webp")),
    ("JPEG 85", picture.encode("jpeg")), ("JPEG 30", picture.encode("jpeg", quality=30)),
]
font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 26)
sheet = Image.new("RGB", (1600, 960), "white")
pen = ImageDraw.Draw(sheet)
for number, (name, file) in enumerate(FILES):
    with Image.open(io.BytesIO(file)) as image:
        part = image.convert("RGB").crop((286, 206, 351, 256)).resize((520, 400), Image.Resampling.NEAREST)
    left, top = number % 3 * 540, number // 3 * 480
    sheet.paste(part, (left, top))
    pen.text((left + 4, top + 412), f"{name}: {len(file) / 1000:.0f} kB", fill="#33312c", font=font)
sheet.save("out/formats.png")
