"""What is called aloud, and other words of the snapshot."""
