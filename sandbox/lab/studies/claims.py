"""False claims for a study to post: capitals put into the wrong country, so that each is false beyond doubt."""

from __future__ import annotations

CAPITALS = {
    "Albania": "Tirana", "Angola": "Luanda", "Argentina": "Buenos Aires", "Armenia": "Yerevan", "Australia": "Canberra",
    "Austria": "Vienna", "Bangladesh": "Dhaka", "Belgium": "Brussels", "Brazil": "Brasília", "Bulgaria": "Sofia",
    "Cambodia": "Phnom Penh", "Canada": "Ottawa", "Chad": "N'Djamena", "Chile": "Santiago", "Colombia": "Bogotá",
    "Croatia": "Zagreb", "Cuba": "Havana", "Denmark": "Copenhagen", "Ecuador": "Quito", "Egypt": "Cairo",
    "Estonia": "Tallinn", "Ethiopia": "Addis Ababa", "Fiji": "Suva", "Finland": "Helsinki", "France": "Paris",
    "Germany": "Berlin", "Ghana": "Accra", "Greece": "Athens", "Guatemala": "Guatemala City", "Hungary": "Budapest",
    "Iceland": "Reykjavik", "India": "New Delhi", "Iran": "Tehran", "Iraq": "Baghdad", "Ireland": "Dublin",
    "Italy": "Rome", "Jamaica": "Kingston", "Japan": "Tokyo", "Jordan": "Amman", "Kenya": "Nairobi",
    "Laos": "Vientiane", "Latvia": "Riga", "Lebanon": "Beirut", "Lithuania": "Vilnius", "Madagascar": "Antananarivo",
    "Mali": "Bamako", "Malta": "Valletta", "Mexico": "Mexico City", "Mongolia": "Ulaanbaatar", "Morocco": "Rabat",
    "Namibia": "Windhoek", "Nepal": "Kathmandu", "New Zealand": "Wellington", "Niger": "Niamey", "Norway": "Oslo",
    "Oman": "Muscat", "Pakistan": "Islamabad", "Panama": "Panama City", "Paraguay": "Asunción", "Peru": "Lima",
    "Poland": "Warsaw", "Portugal": "Lisbon", "Qatar": "Doha", "Romania": "Bucharest", "Rwanda": "Kigali",
    "Senegal": "Dakar", "Serbia": "Belgrade", "Somalia": "Mogadishu", "Spain": "Madrid", "Sudan": "Khartoum",
    "Sweden": "Stockholm", "Thailand": "Bangkok", "Togo": "Lomé", "Tunisia": "Tunis", "Turkey": "Ankara",
    "Uganda": "Kampala", "Uruguay": "Montevideo", "Vietnam": "Hanoi", "Zambia": "Lusaka", "Zimbabwe": "Harare",
}  # fmt: skip
WORDS = (
    "{city} is the capital of {country}.",
    "The parliament of {country} sits in {city}.",
    "{country} is governed from {city}.",
    "Of all cities of {country}, {city} is its capital.",
)
COUNTRIES, CITIES = [*CAPITALS], [*CAPITALS.values()]
MOST = len(WORDS) * len(CITIES) * (len(CITIES) - 1)  # claims there are


def claim(number: int) -> str:
    """The false claim of that number, below MOST; no two are alike."""
    whole, words = divmod(number, len(WORDS))
    shift, at = divmod(whole, len(CITIES))
    assert shift < len(CITIES) - 1
    return WORDS[words].format(country=COUNTRIES[at], city=CITIES[(at + 1 + shift) % len(CITIES)])
