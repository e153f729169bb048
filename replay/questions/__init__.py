"""Questions: named ones and free SQL, put to the tables that every logged game fills."""
