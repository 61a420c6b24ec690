"""The program: the app and its screens, the one table of actions, the file of settings, pictures and pages of docs."""
