#!/bin/sh
# The image of PostgreSQL runs this once: a user with the least rights that suffice, and its database.
exec psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" --username="$POSTGRES_USER" \
  --dbname=postgres --file="${TANDEM_SQL:-/tandem.sql}"
