"""From a question to ranked candidates and packed evidence."""
