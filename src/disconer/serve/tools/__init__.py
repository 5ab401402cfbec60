"""What annotation tools ask a server, each in its own protocol and for a model that the path names."""
