-- The user and the database of Tandem on a PostgreSQL of your own, with the least rights that suffice: it connects, makes
-- tables in one schema and temporary ones, and nothing else. As a superuser: psql -v password=… -f tandem.sql
create role tandem login password :'password' nosuperuser nocreatedb nocreaterole noreplication;
create database tandem encoding 'UTF8' template template0;
revoke all on database tandem from public;
grant connect, temporary on database tandem to tandem;
\connect tandem
revoke all on schema public from public;
grant usage, create on schema public to tandem;
