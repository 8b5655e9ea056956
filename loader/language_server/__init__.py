"""The check inside an editor: findings while a plugin is written, fixes, explanations and completions (LSP)."""
