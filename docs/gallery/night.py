"""Night

A dark style from a dictionary. The glow along the coasts is a wide, blurred line below the land; that of the
cities three circles on each other, the widest one blurred.

Group: Worlds

Data: Natural Earth (public domain)
"""
import neatline

DEMO = "Examples/demo/"
GLOW = {"type": "circle", "source": "cities"}
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "cities": {"type": "geojson", "data": DEMO + "cities.geojson"},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#071019"}},
        {"id": "shore", "type": "line", "source": "land",
         "paint": {"line-color": "#12384f", "line-width": 14, "line-blur": 12}},
        {"id": "land", "type": "fill", "source": "land",
         "paint": {"fill-color": "#101c28", "fill-outline-color": "#101c28"}},
        {"id": "borders", "type": "line", "source": "land",
         "paint": {"line-color": "#24394b", "line-width": 0.7}},
        {"id": "haze", **GLOW, "paint": {
            "circle-radius": 14, "circle-color": "#ff9a3c", "circle-opacity": 0.16, "circle-blur": 1}},
        {"id": "light", **GLOW, "paint": {
            "circle-radius": 4, "circle-color": "#ffb65c", "circle-opacity": 0.55, "circle-blur": 0.7}},
        {"id": "spark", **GLOW, "paint": {"circle-radius": 1.1, "circle-color": "#fff3d6"}},
        {"id": "names", "type": "symbol", "source": "cities", "layout": {
            "text-field": ["get", "name"], "text-font": ["Noto Sans Regular"], "text-size": 10,
            "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 0.6},
         "paint": {"text-color": "#8fa9bd", "text-halo-color": "#071019", "text-halo-width": 1}},
    ],
}
neatline.render(style, bounds=(-12, 33, 42, 60), size=(800, 520), ratio=2).save("out/night.png")
