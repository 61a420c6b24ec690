"""Time on the screen: the loop that lets it run, what it runs to, and when it slows down or stands by itself."""
