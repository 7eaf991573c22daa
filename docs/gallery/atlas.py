"""A page of an atlas

Old paper: a graticule made in six lines, shores as three lines of growing width, countries tinted by the
number that the data gives them, names in spaced capitals.

Group: Worlds

Data: Natural Earth (public domain)
"""
import neatline

DEMO = "Examples/demo/"


def line(points):
    return {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": points}}


meridians = [line([(lon, lat) for lat in range(-80, 81, 2)]) for lon in range(-180, 181, 10)]
parallels = [line([(lon, lat) for lon in range(-180, 181, 2)]) for lat in range(-80, 81, 10)]
shore = {"type": "line", "source": "land", "layout": {"line-join": "round"}}

style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "lakes": {"type": "geojson", "data": DEMO + "lakes.geojson"},
        "names": {"type": "geojson", "data": DEMO + "labels.geojson"},
        "grid": {"type": "geojson", "data": {"type": "FeatureCollection", "features": meridians + parallels}},
    },
    "layers": [
        {"id": "paper", "type": "background", "paint": {"background-color": "#e9dfc4"}},
        {"id": "grid", "type": "line", "source": "grid",
         "paint": {"line-color": "#a08c66", "line-width": 0.5, "line-opacity": 0.6}},
        {"id": "shore-3", **shore, "paint": {"line-color": "#7d9a94", "line-width": 13,
                                             "line-opacity": 0.18}},
        {"id": "shore-2", **shore, "paint": {"line-color": "#7d9a94", "line-width": 8, "line-opacity": 0.22}},
        {"id": "shore-1", **shore, "paint": {"line-color": "#5f807a", "line-width": 3.5,
                                             "line-opacity": 0.4}},
        {"id": "land", "type": "fill", "source": "land", "paint": {"fill-color": [
            "match", ["get", "color"],
            1, "#ecd9a8", 2, "#d3d9ae", 3, "#e6c4a4", 4, "#dcc3bd", 5, "#c9d6c3", 6, "#f0e2b6", "#e3d3b0"]}},
        {"id": "lakes", "type": "fill", "source": "lakes",
         "paint": {"fill-color": "#cfd3bf", "fill-outline-color": "#7d9a94"}},
        {"id": "borders", "type": "line", "source": "land", "layout": {"line-join": "round"},
         "paint": {"line-color": "#6b5237", "line-width": 0.8, "line-dasharray": [4, 1.5, 1, 1.5]}},
        {"id": "names", "type": "symbol", "source": "names",
         "layout": {"text-field": ["get", "name"], "text-font": ["Noto Serif Italic"], "text-size": 12,
                    "text-transform": "uppercase", "text-letter-spacing": 0.15, "text-max-width": 6,
                    "symbol-sort-key": ["get", "rank"]},
         "paint": {"text-color": "#4a3520", "text-halo-color": "rgba(240,228,196,0.8)",
                   "text-halo-width": 1.2}},
    ],
}
neatline.render(style, bounds=(-84, -57, -31, 14), size=(800, 900), ratio=2).save("out/atlas.png")
