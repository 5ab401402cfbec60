"""The recognizer over HTTP, and the page that people try it on."""
