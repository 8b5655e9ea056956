"""What a plugin may do: pure deciders with the clock passed in, and the service object in front of them."""
