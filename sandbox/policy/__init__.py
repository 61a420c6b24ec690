"""Policies of a platform: what they may see and decide, how they learn, and what they are judged by."""
