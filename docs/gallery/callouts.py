"""What a host draws over its map

View annotations: rectangles that the host draws, here with Pillow. The map says where each stands in the frame and
which are hidden under others that came before them; one is selected, and comes before all. Each goes with the circle
that it belongs to, and the map's labels make room for it.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import neatline
from neatline import CircleAnnotation, ViewAnnotation
from PIL import ImageDraw, ImageFont

CITIES = {
    "Lisboa": (-9.14, 38.72), "Madrid": (-3.7, 40.42), "Paris": (2.35, 48.86), "London": (-0.13, 51.51),
    "Bruxelles": (4.35, 50.85), "Amsterdam": (4.9, 52.37), "Berlin": (13.4, 52.52), "Praha": (14.42, 50.09),
    "Wien": (16.37, 48.21), "Bratislava": (17.11, 48.15), "Budapest": (19.04, 47.5), "Roma": (12.5, 41.9),
    "Beograd": (20.46, 44.82), "Athina": (23.73, 37.98), "Warszawa": (21.01, 52.23), "Kyjiv": (30.52, 50.45),
}
font = ImageFont.load_default(15)

with neatline.Map((800, 500)) as map:
    map.load_style("Examples/demo/style.json")
    dots = map.make_annotations("circle", circle_radius=4, circle_color="#1e3a8a", circle_stroke_width=1.5,
                                circle_stroke_color="#ffffff")
    dots.set([CircleAnnotation(place, id=name) for name, place in CITIES.items()])
    map.view_annotations.add(
        ViewAnnotation(place, font.getlength(name) + 18, 26, id=name, anchor="bottom", offset_y=13,
                       associated_feature_id=name, hides_labels=True)
        for name, place in CITIES.items()
    )
    map.view_annotations.update("Wien", selected=True)
    map.set_camera(pitch=30, bearing=-8)
    map.set_camera(**map.view_annotations.fit(padding=16).camera)
    map.loop.run()

    picture = map.draw().to_pil().convert("RGB")
    draw = ImageDraw.Draw(picture)
    for each in map.view_annotations.placements:
        if each.is_shown:
            color = "#be123c" if each.is_selected else "#0f172a"
            middle, low = each.x + each.width / 2, each.y + each.height
            draw.polygon([(middle - 6, low - 1), (middle + 6, low - 1), (middle, low + 7)], fill=color)
            draw.rounded_rectangle((each.x, each.y, each.x + each.width, low), 6, fill=color)
            draw.text((middle, each.y + 13), each.id, fill="white", font=font, anchor="mm")
    picture.save("out/callouts.png")
