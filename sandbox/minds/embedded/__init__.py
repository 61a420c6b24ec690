"""The mind that needs no key and no network: it answers by the rules that stand beside the questions."""
