"""Labels in many scripts

Each city's name as its people write it: Arabic and Hebrew from right to left, Devanagari, Bengali, Tamil and
Khmer shaped by HarfBuzz, Georgian, Armenian, Amharic, Thai. Fonts are those of the machine, found by
character.

Group: Labels

Data: Natural Earth (public domain); the names are the program's
"""
import neatline

DEMO = "Examples/demo/"
NAMES = [
    (31.23, 30.04, "القاهرة", "Cairo"), (35.21, 31.77, "ירושלים", "Jerusalem"), (51.39, 35.69, "تهران",
                                                                                 "Tehran"),
    (77.21, 28.64, "नई दिल्ली", "New Delhi"), (90.41, 23.81, "ঢাকা", "Dhaka"), (80.27, 13.08, "சென்னை",
                                                                                "Chennai"),
    (104.92, 11.56, "ភ្នំពេញ", "Phnom Penh"), (100.5, 13.75, "กรุงเทพ", "Bangkok"), (96.16, 16.84, "ရန်ကုန်",
                                                                                     "Yangon"),
    (44.79, 41.71, "თბილისი", "Tbilisi"), (44.51, 40.18, "Երևան", "Yerevan"), (38.75, 9.03, "አዲስ አበባ",
                                                                               "Addis Ababa"),
    (37.62, 55.75, "Москва", "Moscow"), (23.73, 37.98, "Αθήνα", "Athens"), (28.98, 41.01, "İstanbul",
                                                                            "Istanbul"),
    (79.86, 6.93, "කොළඹ", "Colombo"), (69.17, 34.53, "کابل", "Kabul"), (85.32, 27.72, "काठमाडौं",
                                                                        "Kathmandu"),
    (46.68, 24.71, "الرياض", "Riyadh"), (69.24, 41.3, "Toshkent", "Tashkent"), (76.95, 43.24, "Алматы",
                                                                                "Almaty"),
    (72.88, 19.08, "मुंबई", "Mumbai"), (67.0, 24.86, "کراچی", "Karachi"), (32.53, 15.5, "الخرطوم",
                                                                           "Khartoum"),
    (30.52, 50.45, "Київ", "Kyiv"), (78.49, 17.39, "హైదరాబాద్", "Hyderabad"), (77.59, 12.97, "ಬೆಂಗಳೂರು",
                                                                               "Bengaluru"),
]
cities = [{"type": "Feature", "properties": {"name": name, "english": english},
           "geometry": {"type": "Point", "coordinates": [lon, lat]}} for lon, lat, name, english in NAMES]
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "cities": {"type": "geojson", "data": {"type": "FeatureCollection", "features": cities}},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#f0ece2"}},
        {"id": "shore", "type": "line", "source": "land",
         "paint": {"line-color": "#dccfb4", "line-width": 10, "line-blur": 8}},
        {"id": "land", "type": "fill", "source": "land",
         "paint": {"fill-color": "#fffdf8", "fill-outline-color": "#e2d8c3"}},
        {"id": "dots", "type": "circle", "source": "cities",
         "paint": {"circle-radius": 3, "circle-color": "#c1440e"}},
        {"id": "names", "type": "symbol", "source": "cities", "layout": {
            "text-field": ["format", ["get", "name"], {}, "\n", {},
                           ["get", "english"], {"font-scale": 0.6, "text-color": "#9a8f7d"}],
            "text-font": ["Noto Sans Regular"], "text-size": 17, "text-line-height": 1.15,
            "text-variable-anchor": ["top", "bottom", "left", "right"], "text-radial-offset": 0.75},
         "paint": {"text-color": "#2f2a25", "text-halo-color": "#fffdf8", "text-halo-width": 1.6}},
    ],
}
neatline.render(style, bounds=(18, 2, 110, 58), size=(800, 620), ratio=2).save("out/scripts.png")
