"""The mind that needs no key and no network: rules, a line database and a realiser."""
