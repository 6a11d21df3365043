"""A second painter of End Zone tables, for measuring alone; it shares nothing with any other painter."""
