"""The one redactor: secrets in texts are masked, wherever they come from and wherever they would be shown."""
