"""Clusters

Points near each other become one with their number on it, at every zoom anew; colour and size follow
`point_count`. Single points keep their names.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import neatline

DEMO = "Examples/demo/"
count = ["get", "point_count"]
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "cities": {"type": "geojson", "data": DEMO + "cities.geojson", "cluster": True, "clusterRadius": 38},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#dfe9ee"}},
        {"id": "land", "type": "fill", "source": "land",
         "paint": {"fill-color": "#fbfaf6", "fill-outline-color": "#d5d9d3"}},
        {"id": "halo", "type": "circle", "source": "cities", "filter": ["has", "point_count"],
         "paint": {"circle-radius": ["interpolate", ["linear"], count, 2, 15, 30, 34],
                   "circle-color": ["step", count, "#51b3a8", 5, "#f2a541", 12, "#e4572e"],
                   "circle-opacity": 0.28}},
        {"id": "clusters", "type": "circle", "source": "cities", "filter": ["has", "point_count"],
         "paint": {"circle-radius": ["interpolate", ["linear"], count, 2, 10, 30, 26],
                   "circle-color": ["step", count, "#51b3a8", 5, "#f2a541", 12, "#e4572e"]}},
        {"id": "numbers", "type": "symbol", "source": "cities", "filter": ["has", "point_count"],
         "layout": {"text-field": ["get", "point_count_abbreviated"], "text-font": ["Noto Sans Bold"],
                    "text-size": 12, "text-allow-overlap": True},
         "paint": {"text-color": "#ffffff"}},
        {"id": "singles", "type": "circle", "source": "cities", "filter": ["!", ["has", "point_count"]],
         "paint": {"circle-radius": 4, "circle-color": "#2b6777", "circle-stroke-width": 1.5,
                   "circle-stroke-color": "#ffffff"}},
        {"id": "names", "type": "symbol", "source": "cities", "filter": ["!", ["has", "point_count"]],
         "layout": {"text-field": ["get", "name"], "text-font": ["Noto Sans Regular"], "text-size": 11,
                    "text-anchor": "top", "text-offset": [0, 0.6]},
         "paint": {"text-color": "#2b6777", "text-halo-color": "#ffffff", "text-halo-width": 1.2}},
    ],
}
neatline.render(style, center=(18, 22), zoom=1.6, size=(800, 520), ratio=2).save("out/clusters.png")
