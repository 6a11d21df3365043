"""End Zone at the table: from measured dice at rest to landings that count, or to questions."""
