"""From one text to its verdict: compile, model, rules, rehearsal."""
