"""What every game is made of: games, verbs, domains, events, views, entropy and the one gate."""
