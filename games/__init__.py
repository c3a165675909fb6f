"""The rules of the games: pure Python without Discord, I/O, clock or global randomness."""
