"""Training of what ships as data: the intent model and the ranking model. `make train` runs it all."""
