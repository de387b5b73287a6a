"""21, 22: what single powers have alone, major and minor; 3.3: their rulers."""
