"""The service, and how releases come and go: on a stand-in for systemd, without root."""
